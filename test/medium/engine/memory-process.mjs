// An engine in a process of its own, for its memory: it learns and samples one step of yes-no-maybe, then runs many small jobs.
// Prints `{peak, early, late}` in bytes: what was resident at most during the step; the least that was resident, and what the
// engine has handed out (`kept`), in the first and in the second half of the small jobs. The least, since how much garbage lies
// about at a moment is V8's affair. Arguments: how many jobs, a folder for adapters, and the prompts as JSON.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedEngine, SHIPPED_MODELS } from '../../../dist/libs/engine/src/index.js';
import { peakMemory } from '../../support/peak-memory.mjs';

const [jobs, folder, given] = process.argv.slice(2);
const prompts = JSON.parse(given);
const REWARDS = { maybe: 1, no: 0.75, yes: 0.5 };
const BASE = 'heddle/shuttle-1m';
const MIB = 1024 ** 2;

const engine = await EmbeddedEngine.create({
  models: SHIPPED_MODELS,
  threads: 2,
  cacheBytes: 32 * MIB,
  adapters: 16,
  memoryBytes: 1024 * MIB,
});

async function rollOut(content, adapter) {
  const messages = [{ role: 'user', content }];
  const choices = [];
  let promptTokenIds;
  const request = { base: BASE, adapter, prompt: { messages }, options: { n: 16, maxTokens: 16 } };
  for await (const event of engine.generate(request)) {
    if (event.type === 'prompt') promptTokenIds = event.tokenIds;
    if (event.type !== 'tokens') continue;
    const choice = (choices[event.choice] ??= { text: '', tokens: [] });
    choice.text += event.text;
    choice.tokens.push(...event.tokens);
  }
  const trajectories = choices.map(({ text, tokens }, index) => ({
    reward: REWARDS[text.trim()] ?? 0,
    messages_and_choices: [
      ...messages,
      {
        index,
        message: { role: 'assistant', content: text },
        prompt_token_ids: promptTokenIds,
        token_ids: tokens.map(({ id }) => id),
        logprobs: { content: tokens.map(({ id, logprob }) => ({ token: `token_id:${id}`, logprob })) },
      },
    ],
  }));
  return { trajectories, exceptions: 0 };
}

async function train(from, to, groups) {
  const request = { base: BASE, from, to, seed: 1, data: { kind: 'rl', groups, config: { learning_rate: 1e-4 } } };
  for await (const event of engine.train(request)) void event;
}

const path = (name) => join(folder, name);
const groups = await Promise.all(prompts.map((prompt) => rollOut(prompt, null)));
await train(null, path('first'), groups);
await Promise.all(prompts.map((prompt) => rollOut(prompt, path('first'))));
const peak = peakMemory();

async function runJobs(count) {
  const looks = [];
  for (let i = 1; i <= count; i++) {
    await train(path('first'), path('next'), groups.slice(0, 2));
    rmSync(path('next'), { recursive: true });
    if (i % 10 > 0) continue;
    global.gc();
    looks.push(process.memoryUsage.rss());
  }
  const [loaded] = engine.pool.loaded.values();
  return { resident: Math.min(...looks), kept: loaded.memory.tensors.usedBytes };
}
const early = await runJobs(jobs / 2);
const late = await runJobs(jobs / 2);
process.stdout.write(JSON.stringify({ peak, early, late }));
await engine.close();
