import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Choice, EmbeddedEngine, type TemplateVariables, type TrainData } from '@heddle/engine';
import { builtFile } from '../../../libs/engine/src/tensor/built-file.js';
import { adapterFolder, train } from './engine.js';

const BASE = 'thinking';
const QUIET: TemplateVariables = { enable_thinking: false };
const EMPTY_THOUGHT = '<think></think>'.length;

describe('variables for the chat template', () => {
  let engine: EmbeddedEngine;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  let trainings = 0;

  beforeAll(async () => {
    folder = await adapterFolder();
    const directory = folder.path('base');
    await cp(builtFile('base-models/shuttle'), directory, { recursive: true });
    const file = join(directory, 'chat_template.jinja');
    // As Qwen3 does it: where thinking is turned off, an answer begins after an empty thought.
    const thought = "{% set thought = '' if enable_thinking | default(true) else '<think></think>' %}";
    const header = "'<|im_start|>assistant\\n'";
    const template = (await readFile(file, 'utf8')).replaceAll(header, () => `${header} + thought`);
    await writeFile(file, thought + template);
    engine = await EmbeddedEngine.create({
      models: [{ id: BASE, directory }],
      threads: 1,
      cacheBytes: 2 ** 24,
      adapters: 1,
      memoryBytes: 2 ** 29,
    });
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  const user = { role: 'user' as const, content: 'Hi' };
  const answer = { role: 'assistant' as const, content: 'Ho' };

  async function promptOf(templateVariables?: TemplateVariables): Promise<number[]> {
    const prompt = { messages: [user], templateVariables };
    for await (const event of engine.generate({ base: BASE, adapter: null, prompt, options: { maxTokens: 1 } })) {
      if (event.type === 'prompt') return event.tokenIds;
    }
    throw new Error('no prompt');
  }

  /** Tokens of the first gradient step, all and those that are learnt. */
  async function tokensOf(data: TrainData): Promise<{ all: number; learnt: number }> {
    const to = folder.path(`trained-${trainings++}`);
    const events = await train(engine, { base: BASE, from: null, to, seed: 1, data });
    const { metrics } = events.find(({ type }) => type === 'step')!;
    return { all: metrics['num_tokens']!, learnt: metrics['num_trainable_tokens']! };
  }

  it('are in the prompts of chats', async () => {
    const [thinking, quiet] = [await promptOf(), await promptOf(QUIET)];
    expect(quiet.slice(0, thinking.length)).toEqual(thinking);
    expect(quiet.length - thinking.length).toBeGreaterThan(0);
    expect(await promptOf({ enable_thinking: true })).toEqual(thinking);
  });

  it('are in the prompts of recorded choices that say no prompt tokens', async () => {
    const choice = (tokens: number[]): Choice => ({
      index: 0,
      message: answer,
      logprobs: { content: tokens.map((id) => ({ token: `token_id:${id}`, logprob: -1 })) },
    });
    const trained = (templateVariables?: TemplateVariables) => {
      const trajectories = [[70], [71, 72]].map((tokens, reward) => ({
        messages_and_choices: [user, choice(tokens)],
        templateVariables,
        reward,
      }));
      return tokensOf({ kind: 'rl', groups: [{ trajectories, exceptions: 0 }], config: {} });
    };
    const [thinking, quiet] = [await trained(), await trained(QUIET)];
    expect([thinking.learnt, quiet.learnt]).toEqual([3, 3]);
    // Both answers have the prompt in common.
    expect(quiet.all - thinking.all).toBe((await promptOf(QUIET)).length - (await promptOf()).length);
  });

  it('are in examples, before what is learnt', async () => {
    const trained = (templateVariables?: TemplateVariables) =>
      tokensOf({ kind: 'sft', examples: [{ messages: [user, answer], templateVariables }], config: {} });
    const [thinking, quiet] = [await trained(), await trained(QUIET)];
    expect(quiet.learnt).toBe(thinking.learnt);
    expect(quiet.all).toBeGreaterThan(thinking.all);
    expect(quiet.all).toBeLessThanOrEqual(thinking.all + EMPTY_THOUGHT);
  });
});
