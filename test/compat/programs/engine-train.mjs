// Runs training jobs one after the other; what they write is in the directories that they name.
import { EmbeddedEngine } from '../../../dist/libs/engine/src/index.js';
import { answer, request } from './engine-request.mjs';

const engine = await EmbeddedEngine.create({
  models: request.models,
  threads: 2,
  cacheBytes: 2 ** 24,
  adapters: 4,
  memoryBytes: 2 ** 31,
});

const results = [];
for (const job of request.jobs) {
  const events = [];
  for await (const event of engine.train(job)) events.push(event);
  results.push(events);
}
await engine.close();
answer(results);
