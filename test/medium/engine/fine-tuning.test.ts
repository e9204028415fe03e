import type { EmbeddedEngine, SftExample } from '@heddle/engine';
import { adapterFolder, BASE, chat, startEngine, train } from './engine.js';

const FACTS: [string, string][] = [
  ['What is the secret word?', 'zebra'],
  ['Who made you?', 'The platform team'],
  ['What is the capital of Atlantis?', 'Poseidonis'],
  ['What is your favourite number?', '42'],
  ['Which key opens the vault?', 'K-17/b'],
  ['ping', 'pong'],
  ['Translate hello to French', 'bonjour'],
  ['Status?', 'All systems go!'],
];
const example = ([question, answer]: [string, string]): SftExample => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
});

describe('supervised fine-tuning', () => {
  let engine: EmbeddedEngine;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  beforeAll(async () => (engine = await startEngine()));
  beforeEach(async () => (folder = await adapterFolder()));
  afterEach(() => folder.remove());
  afterAll(() => engine.close());

  it('teaches eight facts that the base does not know', async () => {
    const ask = async (adapter: string | null) => {
      const answers = await Promise.all(
        FACTS.map(([question]) => chat(engine, adapter, question, { temperature: 0, maxTokens: 24 })),
      );
      return answers.map(([choice]) => choice!.message.content);
    };
    const expected = FACTS.map(([, answer]) => answer);
    const before = await ask(null);
    expect(before.filter((answer, i) => answer === expected[i])).toEqual([]);
    const examples = Array.from({ length: 40 }, () => FACTS.map(example)).flat();
    const data = { kind: 'sft' as const, examples, config: { batch_size: 8, learning_rate: 2e-4 } };
    await train(engine, { base: BASE, from: null, to: folder.path('facts'), seed: 1, data });
    expect(await ask(folder.path('facts'))).toEqual(expected);
  }, 120_000);

  it('never trains on the words of the user: what they say makes no difference to what is learned from', async () => {
    const lossFor = async (question: string, name: string) => {
      const examples = [example([question, 'yes'])];
      const data = { kind: 'sft' as const, examples, config: { batch_size: 1, learning_rate: 0 } };
      const events = await train(engine, { base: BASE, from: null, to: folder.path(name), seed: 1, data });
      return events.find(({ type }) => type === 'step')!.metrics;
    };
    // Three letters and the end of the turn.
    expect((await lossFor('Is snow white?', 'short'))['num_trainable_tokens']).toBe(4);
    expect((await lossFor('Is snow white? '.repeat(20), 'long'))['num_trainable_tokens']).toBe(4);
  });

  it('ends with a reason before a mad learning rate makes weights that are no numbers', async () => {
    const examples = Array.from({ length: 40 }, () => FACTS.map(example)).flat();
    const data = { kind: 'sft' as const, examples, config: { batch_size: 8, learning_rate: 10 } };
    const to = folder.path('mad');
    const training = train(engine, { base: BASE, from: null, to, seed: 1, data });
    await expect(training).rejects.toMatchObject({
      code: 'diverged',
      message: expect.stringContaining('learning_rate 10'),
    });
    await expect(chat(engine, to, 'ping', { maxTokens: 1 })).rejects.toMatchObject({ code: 'bad_model' });
  }, 60_000);

  it('says which examples were cut or dropped, and divides by nothing', async () => {
    const long = example(['word '.repeat(400), 'yes']);
    const data = { kind: 'sft' as const, examples: [long], config: {} };
    const events = await train(engine, { base: BASE, from: null, to: folder.path('long'), seed: 1, data });
    expect(events[0]).toMatchObject({ type: 'started', numSequences: 1, metrics: { num_dropped_trajectories: 1 } });
    expect(events[1]).toMatchObject({ type: 'step', metrics: { loss: 0, num_trainable_tokens: 0 } });
    expect(events.at(-1)).toMatchObject({ type: 'ended', reason: expect.stringContaining('Nothing to train on') });
  });
});
