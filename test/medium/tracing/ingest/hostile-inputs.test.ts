import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTracing, type TracingClient } from './tracing-client.js';

let tracing: Awaited<ReturnType<typeof startTracing>>;
let client: TracingClient;

beforeAll(async () => {
  tracing = await startTracing();
  ({ client } = tracing);
});
afterAll(() => tracing.api.close());

const stored = async (): Promise<number> => {
  const { rows } = await tracing.api.database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM calls');
  return rows[0]!.n;
};

/** Made when the tests run, since they need the client's project. */
type Made<T> = (client: TracingClient) => T;

describe('a request that is not this API is refused with 422, and nothing of it is stored', () => {
  const good = (c: TracingClient): object => c.start();
  const refused: [string, Made<unknown>, string[]][] = [
    ['no body', () => '', ['body']],
    ['half a body', (c) => JSON.stringify({ batch: [good(c)] }).slice(0, -2), ['body']],
    ['no JSON', () => 'batch=1', ['body']],
    ['an array', (c) => [good(c)], ['body', 'batch']],
    ['no batch', () => ({}), ['body', 'batch']],
    ['a batch that is no array', (c) => ({ batch: { 0: good(c) } }), ['body', 'batch']],
    ['an item that is null', (c) => ({ batch: [good(c), null] }), ['body', 'batch', '1']],
    ['an item without a request', (c) => ({ batch: [good(c), { mode: 'start' }] }), ['body', 'batch', '1']],
    [
      'an item of an unknown kind',
      (c) => ({ batch: [{ mode: 'x', req: { x: {} } }, good(c)] }),
      ['body', 'batch', '0'],
    ],
    [
      'a start that is a string',
      (c) => ({ batch: [good(c), { mode: 'start', req: { start: 'x' } }] }),
      ['body', 'batch', '1'],
    ],
    [
      'an item without a project',
      (c) => ({ batch: [good(c), c.start({ project_id: undefined })] }),
      ['body', 'batch', '1', 'req', 'start', 'project_id'],
    ],
    [
      'a project of three parts',
      (c) => ({ batch: [good(c), c.start({ project_id: `${c.projectId}/x` })] }),
      ['body', 'batch', '1', 'req', 'start', 'project_id'],
    ],
    [
      'a project that is a number',
      (c) => ({ batch: [good(c), c.end('x', { project_id: 7 })] }),
      ['body', 'batch', '1', 'req', 'end', 'project_id'],
    ],
    [
      '200,000 levels',
      (c) => `{"batch":[${JSON.stringify(good(c))},${'['.repeat(200_000)}${']'.repeat(200_000)}]}`,
      ['body'],
    ],
  ];

  it.each(refused)('%s', async (_, make, loc) => {
    const before = await stored();
    const { status, text } = await client.post('/call/upsert_batch', make(client));
    expect(status).toBe(422);
    expect((JSON.parse(text) as { detail: { loc: string[] }[] }).detail[0]?.loc).toEqual(loc);
    expect(await stored()).toBe(before);
  });

  it('names each item that is refused, up to a hundred', async () => {
    const { text } = await client.upsert(1, client.start(), 2, ...Array<number>(200).fill(3));
    const { detail } = JSON.parse(text) as { detail: { loc: string[] }[] };
    expect(detail).toHaveLength(100);
    expect(detail.slice(0, 3).map(({ loc }) => loc[2])).toEqual(['0', '2', '3']);
  });

  it('more than 1,000 complete calls', async () => {
    const batch = Array<object>(1001).fill({});
    expect(await client.post(`/v2/${client.projectId}/calls/complete`, { batch })).toMatchObject({ status: 422 });
  });
});

describe('an odd item is stored with the rest of its batch, in its place', () => {
  const odd: [string, Made<Record<string, unknown>>][] = [
    ['ids that look like no UUIDs', () => ({ id: `../${randomUUID()}`, trace_id: '1; DROP TABLE calls' })],
    ['an id that is a number', () => ({ id: 17 })],
    ['an id that is an object', () => ({ id: { a: [1] } })],
    [
      'nothing but a project',
      (c) => ({ op_name: undefined, started_at: undefined, inputs: undefined, project_id: c.projectId }),
    ],
    ['unknown fields', () => ({ future: { field: true }, constructor: 1, __proto__: {} })],
    ['a malformed reference', () => ({ inputs: { ref: 'weave:///', other: 'weave:///%%%/\u0000' } })],
    ['10,000 references', () => ({ inputs: Array.from({ length: 10_000 }, (_, i) => `weave:///a/b/object/c:${i}`) })],
    ['a reference of 4,000 characters', () => ({ inputs: [`weave:///a/b/object/${randomUUID().repeat(100)}`] })],
    ['its own parent', () => ({ id: 'ouroboros', parent_id: 'ouroboros' })],
    ['a step beyond bigint', () => ({ wb_run_step: 1e30 })],
    ['a step that is no number', () => ({ wb_run_step: 'seven' })],
    ['names of the wrong types', () => ({ op_name: 5, display_name: ['a'], parent_id: { p: 1 }, thread_id: true })],
    ['a time of the wrong type', () => ({ started_at: ['2026'] })],
    ['an end before its start', (c) => ({ started_at: '2026-01-31T13:00:00Z', project_id: c.projectId })],
  ];

  it.each(odd)('%s', async (_, make) => {
    const item = client.start(make(client));
    const [before, after] = [client.start(), client.start()];
    const { status, text } = await client.upsert(before, item, client.end('some-end'), after);
    expect(status).toBe(200);
    const { res } = JSON.parse(text) as { res: { id?: string; trace_id?: string }[] };
    expect(res.map(({ id }) => id)).toEqual([
      before.req.start['id'],
      expect.any(String),
      undefined,
      after.req.start['id'],
    ]);
    for (const { id } of [res[0]!, res[1]!, res[3]!]) expect(await client.read(id!)).toMatchObject({ id });
  });

  it('without ids gets ids that are made, and answered', async () => {
    const { text } = await client.upsert(client.start({ id: null, trace_id: undefined }));
    const [ids] = (JSON.parse(text) as { res: { id: string; trace_id: string }[] }).res;
    expect(ids?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await client.read(ids!.id)).toMatchObject({ ...ids });
  });

  it('without a trace gets the same one each time that it is sent', async () => {
    const item = client.start({ trace_id: null });
    const answers = [await client.upsert(item), await client.upsert(item)];
    expect(answers[0]).toEqual(answers[1]);
  });

  it('with bare NaN and Infinity is read with null in their place', async () => {
    const id = randomUUID();
    const item = JSON.stringify(client.start({ id, inputs: 'HERE' })).replace(
      '"HERE"',
      '{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN"}',
    );
    expect((await client.post('/call/upsert_batch', `{"batch":[${item}]}`)).status).toBe(200);
    expect((await client.read(id))?.['inputs']).toEqual({ a: null, b: [null, null], c: 'NaN' });
  });

  it('in invalid UTF-8 is read with replacement characters', async () => {
    const id = randomUUID();
    const [head, tail] = JSON.stringify({ batch: [client.start({ id, op_name: 'HERE' })] }).split('HERE') as [
      string,
      string,
    ];
    const body = Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from(tail)]);
    expect((await client.post('/call/upsert_batch', body)).status).toBe(200);
    expect(await client.read(id)).toMatchObject({ op_name: '\ufffd(\ufffd' });
  });

  it('with an unknown mode is what its content says', async () => {
    const id = randomUUID();
    const answer = await client.upsert({ ...client.start({ id }), mode: 'begin' }, { req: client.end(id).req });
    expect(answer.status).toBe(200);
    expect(await client.read(id)).toMatchObject({ summary: { weave: { status: 'success' } } });
  });

  it('with millions of numbers in its payload is a call like any other, whatever the route', async () => {
    const output = `[${'1,'.repeat(4_500_000)}1]`;
    const send = async (path: string, item: object): Promise<number> =>
      (await client.post(path, JSON.stringify(item).replace('"OUTPUT"', output))).status;
    const end = client.end('numbers', { output: 'OUTPUT' });
    const complete = { ...client.start().req.start, ...end.req.end };
    expect(await send('/call/upsert_batch', { batch: [end] })).toBe(200);
    expect(await send('/call/end', end.req)).toBe(200);
    expect(await send(`/v2/${client.projectId}/calls/complete`, { batch: [complete] })).toBe(200);
    expect(await client.readText('numbers')).toContain(`"output":${output},`);
  });

  it('an empty batch is answered with an empty list', async () => {
    expect(await client.upsert()).toEqual({ status: 200, text: '{"res":[]}' });
  });
});
