import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTracing } from './tracing-client.js';

let tracing: Awaited<ReturnType<typeof startTracing>>;
beforeAll(async () => {
  tracing = await startTracing();
});
afterAll(() => tracing.api.close());

it('works', async () => {
  const { client } = tracing;
  const answer = await client.upsert(client.start({ id: 'a' }), client.end('a', { output: 1 }));
  expect(answer).toEqual({ status: 200, text: '' });
  expect(await client.read('a')).toBe(1);
});
