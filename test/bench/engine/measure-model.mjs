// Usage: node measure-model.mjs MODEL ADAPTERS THREADS   Prints tokens a second and the peaks of memory as JSON. The batches
// are those of torch_baseline.py.
import { cpSync } from 'node:fs';
import { EmbeddedEngine } from '../../../dist/libs/engine/src/embedded/embedded-engine.js';
import { peakMemory } from '../../support/peak-memory.mjs';

const [model, adapters, threads] = process.argv.slice(2);
const BATCH = 64;
const LENGTH = 64;
const STEPS = 12;
const NEW_TOKENS = 64;
const ROUNDS = 3;
const ADAPTERS = 16;

const engine = await EmbeddedEngine.create({
  models: [{ id: 'base', directory: model }],
  threads: Number(threads),
  cacheBytes: 128 * 1024 ** 2,
  adapters: ADAPTERS,
  memoryBytes: 2 * 1024 ** 3,
});
const training = await train();
const sampling = await sample();
const mebibytes = peakMemory() / 1024 ** 2;
await sampleWithAll();
const mebibytesWithAll = peakMemory() / 1024 ** 2;
await engine.close();
process.stdout.write(JSON.stringify({ training, sampling, mebibytes, mebibytesWithAll }));

/** LoRA of rank 8 on every linear layer, loss on every token but the first, AdamW: the best step. */
async function train() {
  const words = Array.from({ length: BATCH }, (_, i) => 'abcdefghijklmnopqrstuvwxyz'.at(i % 26).repeat(LENGTH));
  const trajectories = words.map((text, i) => {
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
  const groups = Array.from({ length: STEPS }, () => ({ trajectories, exceptions: 0 }));
  const config = { learning_rate: 1e-4, packed_sequence_length: BATCH * LENGTH };
  const request = { base: 'base', from: null, to: adapters, seed: 1, data: { kind: 'rl', groups, config } };
  let best = 0;
  for await (const event of engine.train(request)) {
    if (event.type === 'step') best = Math.max(best, event.metrics.tokens_per_second);
  }
  return best;
}

/** New tokens of 64 completions of one prompt, under the adapter just trained: the best round. */
async function sample() {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const prompt = { tokenIds: Array.from({ length: 32 }, (_, i) => 97 + ((i + round) % 26)) };
    const options = { n: BATCH, maxTokens: NEW_TOKENS, ignoreEos: true, seed: round };
    const start = performance.now();
    for await (const event of engine.generate({ base: 'base', adapter: adapters, prompt, options })) void event;
    best = Math.max(best, (BATCH * NEW_TOKENS) / ((performance.now() - start) / 1000));
  }
  return best;
}

/** As many adapters as are kept in memory, all at once. */
async function sampleWithAll() {
  const prompt = { tokenIds: [97, 98, 99] };
  const options = { maxTokens: NEW_TOKENS, ignoreEos: true };
  const sampleWith = async (adapter) => {
    cpSync(adapters, adapter, { recursive: true });
    for await (const event of engine.generate({ base: 'base', adapter, prompt, options })) void event;
  };
  await Promise.all(Array.from({ length: ADAPTERS }, (_, i) => sampleWith(`${adapters}-${i}`)));
}
