import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '@heddle/http';
import { indexJsonSync, type JsonNode } from '@heddle/json';
import { readCompleteBatch, readSingle, readUpsertBatch } from './call-batch.js';

const body = (value: unknown): JsonNode => indexJsonSync(Buffer.from(JSON.stringify(value)), { depth: 5 });
const problems = async (work: () => unknown): Promise<string[][]> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof ValidationError) return error.detail.map(({ loc }) => loc);
    throw error;
  }
  return [];
};

describe('readUpsertBatch', () => {
  it.each<[string, unknown, string]>([
    ['a start', { mode: 'start', req: { start: {} } }, 'start'],
    ['an end', { mode: 'end', req: { end: {} } }, 'end'],
    ['no mode', { req: { end: {} } }, 'end'],
    ['the wrong mode', { mode: 'end', req: { start: {} } }, 'start'],
    ['both, told by the mode', { mode: 'end', req: { start: {}, end: {} } }, 'end'],
    ['both without a mode', { req: { start: {}, end: {} } }, 'start'],
    ['a null beside it', { req: { start: null, end: {} } }, 'end'],
  ])('recognises %s', async (_, item, kind) => {
    const [read] = await readUpsertBatch(body({ batch: [item] }));
    expect([read?.kind, read?.loc]).toEqual([kind, ['body', 'batch', 0, 'req', kind]]);
  });

  it.each([null, 1, 'start', [], {}, { mode: 'start' }, { req: null }, { req: { start: [] } }, { start: {} }])(
    'does not recognise %j',
    async (item) => {
      expect(await problems(() => readUpsertBatch(body({ batch: [{ req: { start: {} } }, item] })))).toEqual([
        ['body', 'batch', '1'],
      ]);
    },
  );

  it.each([{}, { batch: null }, { batch: {} }, [], 'batch'])('refuses the envelope %j', async (envelope) => {
    expect(await problems(() => readUpsertBatch(body(envelope)))).toEqual([['body', 'batch']]);
  });
});

describe('readCompleteBatch', () => {
  it('takes objects, up to the limit', async () => {
    const items = await readCompleteBatch(body({ batch: [{ id: 1 }, {}] }), 2);
    expect(items.map(({ kind, loc }) => [kind, loc])).toEqual([
      ['complete', ['body', 'batch', 0]],
      ['complete', ['body', 'batch', 1]],
    ]);
    expect(await problems(() => readCompleteBatch(body({ batch: [{}, {}, {}] }), 2))).toEqual([['body', 'batch']]);
    expect(await problems(() => readCompleteBatch(body({ batch: [{}, 1] }), 2))).toEqual([['body', 'batch', '1']]);
  });
});

describe('readSingle', () => {
  it('takes the object under its key', async () => {
    expect(readSingle(body({ start: { a: 1 } }), 'start').node.text()).toBe('{"a":1}');
    expect(await problems(() => readSingle(body({ start: {} }), 'end'))).toEqual([['body', 'end']]);
  });
});
