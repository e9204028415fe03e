import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { startTracing, type TracingClient } from './tracing-client.js';

let tracing: Awaited<ReturnType<typeof startTracing>>;
let client: TracingClient;

beforeAll(async () => {
  tracing = await startTracing();
  ({ client } = tracing);
});
afterAll(() => tracing.api.close());

const deep = (levels: number): string => `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** JSON texts that most servers change, lose or choke on. */
const payloads: [string, string][] = [
  ['the NUL escape', '{"a\\u0000b":"\\u0000"}'],
  ['halves of surrogate pairs', '{"k\\ud800":"\\udc00 \\ud83d","ok":"\\ud83d\\ude00"}'],
  ['integers beyond 2^53', '{"n":9007199254740993,"m":-123456789012345678901234567890}'],
  ['numbers that no double holds', '{"n":1e400,"m":0.1000000000000000055511151231257827,"z":-0.0,"e":1E+2}'],
  ['exponents that no decimal holds', '{"n":1e999999999}'],
  ['10,000 levels', deep(10_000)],
  ['duplicate keys', '{"a":1,"a":2,"\\u0061":3}'],
  ['white space and escapes', '{ "a" :\t[ 1 , 2 ] , "\\u00e9" : "\\/" }'],
  ['text outside of ASCII', '{"é":"日本語 😀 \u2028 \ufffe \ufdd0"}'],
  ['keys of its own kind', '{"weave":{"x":1},"":{"__proto__":null}}'],
];

describe('a payload', () => {
  it.each(payloads)('comes back byte for byte with %s', async (_, payload) => {
    const id = randomUUID();
    const start = `{"project_id":"${client.projectId}","id":"${id}","trace_id":"t","op_name":"o","started_at":1,"attributes":${payload},"inputs":${payload}}`;
    const end = `{"project_id":"${client.projectId}","id":"${id}","ended_at":2,"output":${payload},"summary":${payload}}`;
    const batch = `{"batch":[{"mode":"start","req":{"start":${start}}},{"mode":"end","req":{"end":${end}}}]}`;
    expect((await client.post('/call/upsert_batch', batch)).status).toBe(200);
    const text = await client.readText(id);
    for (const key of ['attributes', 'inputs', 'output']) expect(text).toContain(`"${key}":${payload},"`);
    expect(text).toContain(`"summary":${payload.slice(0, -1).trimEnd()}`);
  });

  it.each(['[1,2]', '"text"', '3', 'true'])('may be %s where an object is usual', async (payload) => {
    const id = randomUUID();
    const value: unknown = JSON.parse(payload);
    await client.upsert(client.start({ id, attributes: value, inputs: value }), client.end(id, { summary: value }));
    const text = await client.readText(id);
    expect(text).toContain(`"attributes":${payload},"inputs":${payload},`);
    expect(text).toContain(`"summary":{"value":${payload},"weave":`);
  });

  it('may be megabytes long, alone or among others', async () => {
    const text = `\u0000 ${'weave:///a/b/object/c:1 '.repeat(100_000)}`;
    const large = client.start({
      inputs: { text, ref: 'weave:///a/b/object/c:1' },
      wb_run_step: 2 ** 40,
      turn_id: text,
    });
    const id = large.req.start['id'] as string;
    const others = [client.start(), client.start()];
    const ends = [client.end(id, { output: text, exception: text, ended_at: '2026-01-31T12:00:01.000001Z' })];
    expect((await client.upsert(others[0], large, others[1], ...ends)).status).toBe(200);
    expect((await client.upsert(large, ...ends)).status).toBe(200);
    expect(await client.read(id)).toMatchObject({
      ...large.req.start,
      output: text,
      exception: text,
      ended_at: '2026-01-31T12:00:01.000001Z',
    });
    const { rows } = await tracing.api.database.pool.query(
      "SELECT input_refs, inputs_search::json ->> 'ref' AS ref FROM calls WHERE id = $1",
      [id],
    );
    expect(rows).toEqual([{ input_refs: ['weave:///a/b/object/c:1'], ref: 'weave:///a/b/object/c:1' }]);
    for (const { req } of others) expect(await client.read(req.start['id'] as string)).not.toBeNull();
  });

  it('may be missing', async () => {
    const id = randomUUID();
    await client.upsert(client.start({ id, attributes: undefined, inputs: null }), client.end(id, { summary: null }));
    const call = await client.read(id);
    expect(call).toMatchObject({ attributes: {}, inputs: {}, output: null });
    expect(Object.keys(call!.summary)).toEqual(['weave']);
  });

  it('keeps the client own keys in summary.weave, unless they are computed', async () => {
    const id = randomUUID();
    const summary = { weave: { status: 'invented', mine: [1] }, usage: { m: { requests: 1 } } };
    await client.upsert(client.start({ id }), client.end(id, { summary }));
    expect((await client.read(id))!.summary).toEqual({
      usage: { m: { requests: 1 } },
      weave: { status: 'success', trace_name: 'answer', latency_ms: 1000, mine: [1] },
    });
  });
});

describe('a name', () => {
  const texts: [string, string][] = [
    ['NUL and halves of surrogate pairs', 'a\u0000b\ud800c\udc00'],
    ['the code point that stands for what cannot be stored', '\ufdd00000 \ufdd0#'],
    ['10,000 characters that no index takes', randomBytes(5000).toString('hex')],
    ['10,000 characters with a pair at the cut', 'x'.repeat(255) + '😀'.repeat(5000)],
    ['a megabyte', randomBytes(500_000).toString('hex')],
  ];

  it.each(texts)('comes back whole with %s', async (_, text) => {
    const fields = {
      id: text + randomUUID(),
      trace_id: text,
      parent_id: text,
      thread_id: text,
      turn_id: text,
      op_name: text,
      wb_run_id: text,
      display_name: text,
    };
    expect((await client.upsert(client.start(fields), client.end(fields.id, { exception: text }))).status).toBe(200);
    expect(await client.read(fields.id)).toMatchObject({ ...fields, exception: text });
  });

  it('is told apart from another that differs behind the part that is indexed', async () => {
    const id = 'x'.repeat(10_000);
    await client.upsert(client.start({ id: `${id}1`, op_name: 'one' }), client.start({ id: `${id}2`, op_name: 'two' }));
    expect([await client.read(`${id}1`), await client.read(`${id}2`), await client.read(id)]).toMatchObject([
      { op_name: 'one' },
      { op_name: 'two' },
      null,
    ] as object);
  });
});

describe('a time', () => {
  const times: [unknown, string][] = [
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123456', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31 14:00:00.123456+02:00', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
    [1769860800.123456, '2026-01-31T12:00:00.123456Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    [-1.5, '1969-12-31T23:59:58.500000Z'],
  ];

  it.each(times)('%p is read as %s', async (sent, read) => {
    const id = randomUUID();
    await client.upsert(client.start({ id, started_at: sent }), client.end(id, { ended_at: sent }));
    expect(await client.read(id)).toMatchObject({
      started_at: read,
      ended_at: read,
      summary: { weave: { latency_ms: 0 } },
    });
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z', '10000-01-01T00:00:00Z', 1e300, {}, '', null, undefined])(
    '%p is repaired: it is now',
    async (sent) => {
      const id = randomUUID();
      const before = Date.now();
      await client.upsert(client.start({ id, started_at: sent }), client.end(id, { ended_at: sent }));
      const call = await client.read(id);
      for (const time of [call?.started_at, call?.ended_at as string]) {
        expect(Date.parse(time!)).toBeGreaterThanOrEqual(before);
        expect(Date.parse(time!)).toBeLessThanOrEqual(Date.now());
      }
      // What was sent and can't be read is not lost, and the call says that its time is not what was sent.
      const original = typeof sent === 'string' ? sent : JSON.stringify(sent);
      const missing = sent === null || sent === undefined;
      expect(call?.attributes).toEqual(missing ? {} : { repaired: { started_at: original } });
    },
  );
});
