// Usage: node measure-model.mjs ROOT MODEL ADAPTERS THREADS   With the build in ROOT, does each piece of work that a line of JSON on its input names, and
// answers with a line: tokens a second or MiB, and the seconds of CPU time that it took. The work is that of torch_baseline.py.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { peakMemory } from '../../support/peak-memory.mjs';

const [root, model, adapters, threads] = process.argv.slice(2);
const { EmbeddedEngine } = await import(`${root}/dist/libs/engine/src/embedded/embedded-engine.js`);
const ADAPTERS = 16;
mkdirSync(adapters, { recursive: true });
let round = 0;
/** The adapter just trained. */
let adapter = null;

// An older commit took a map of names to directories.
const { SHIPPED_MODELS } = await import(`${root}/dist/libs/engine/src/index.js`);
const engine = await EmbeddedEngine.create({
  models: Array.isArray(SHIPPED_MODELS) ? [{ id: 'base', directory: model }] : { base: model },
  threads: Number(threads),
  cacheBytes: 256 * 1024 ** 2,
  adapters: ADAPTERS,
  memoryBytes: 3 * 1024 ** 3,
});
const works = {
  training,
  sampling,
  prefill,
  memory: () => peakMemory() / 1024 ** 2,
  memoryWithAll: async (work) => {
    await sampleWithAll(work);
    return peakMemory() / 1024 ** 2;
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const work = JSON.parse(line);
  round += 1;
  const before = process.cpuUsage();
  const value = await works[work.kind](work);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ value, cpu: (user + system) / 1e6 })}\n`);
}
await engine.close();

/** LoRA of rank 8 on every linear layer, loss on every token but the first, AdamW: the best step. */
async function training({ batch, length, steps }) {
  const trajectories = Array.from({ length: batch }, (_, i) => {
    const text = 'abcdefghijklmnopqrstuvwxyz'.at(i % 26).repeat(length);
    const tokens = [...Buffer.from(text)];
    return {
      reward: i % 2,
      messages_and_choices: [
        { role: 'user', content: '' },
        {
          index: 0,
          message: { role: 'assistant', content: text },
          prompt_token_ids: [i],
          token_ids: tokens.slice(1),
          logprobs: { content: tokens.slice(1).map(() => ({ token: '', logprob: -1 })) },
        },
      ],
    };
  });
  const groups = Array.from({ length: steps }, () => ({ trajectories, exceptions: 0 }));
  const config = { learning_rate: 1e-4, packed_sequence_length: batch * length };
  adapter = join(adapters, `${round}`);
  const request = { base: 'base', from: null, to: adapter, seed: 1, data: { kind: 'rl', groups, config } };
  let best = 0;
  for await (const event of engine.train(request)) {
    if (event.type === 'step') best = Math.max(best, event.metrics.tokens_per_second);
  }
  return best;
}

/** New tokens of completions of one prompt, under the adapter just trained. */
async function sampling({ streams, tokens }) {
  const tokenIds = Array.from({ length: 32 }, (_, i) => 97 + ((i + round) % 26));
  const options = { n: streams, maxTokens: tokens, ignoreEos: true, seed: round };
  return (streams * tokens) / (await secondsFor(tokenIds, options));
}

/** Tokens of a prompt that has nothing in common with those before. */
async function prefill({ length }) {
  const tokenIds = Array.from({ length }, (_, i) => (i === 0 ? round : 97 + (i % 26)));
  return length / (await secondsFor(tokenIds, { maxTokens: 1, ignoreEos: true }));
}

async function secondsFor(tokenIds, options) {
  const start = performance.now();
  for await (const event of engine.generate({ base: 'base', adapter, prompt: { tokenIds }, options })) void event;
  return (performance.now() - start) / 1000;
}

/** As many adapters as are kept in memory, all at once. */
async function sampleWithAll({ tokens }) {
  const prompt = { tokenIds: [97, 98, 99] };
  const options = { maxTokens: tokens, ignoreEos: true };
  const sampleWith = async (copy) => {
    cpSync(adapter, copy, { recursive: true });
    for await (const event of engine.generate({ base: 'base', adapter: copy, prompt, options })) void event;
  };
  await Promise.all(Array.from({ length: ADAPTERS }, (_, i) => sampleWith(join(adapters, `copy-${i}`))));
}
