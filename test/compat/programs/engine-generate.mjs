// Samples completions, all requests at once.
import { EmbeddedEngine } from '../../../dist/libs/engine/src/index.js';
import { answer, request } from './engine-request.mjs';

const engine = await EmbeddedEngine.create({
  models: request.models,
  threads: 2,
  cacheBytes: 2 ** 26,
  adapters: 4,
  memoryBytes: 2 ** 31,
});

async function sample(generation) {
  let prompt;
  const choices = [];
  for await (const event of engine.generate(generation)) {
    if (event.type === 'prompt') prompt = event.tokenIds;
    else {
      const choice = (choices[event.choice] ??= { tokens: [], text: '', reason: null });
      if (event.type === 'tokens') {
        choice.tokens.push(...event.tokens);
        choice.text += event.text;
      } else choice.reason = event.reason;
    }
  }
  return { prompt, choices };
}

const results = await Promise.all(request.requests.map(sample));
await engine.close();
answer(results);
