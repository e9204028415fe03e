import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type SeenCall, startTracing, type TracingClient } from './tracing-client.js';

let tracing: Awaited<ReturnType<typeof startTracing>>;
let client: TracingClient;

beforeAll(async () => {
  tracing = await startTracing();
  ({ client } = tracing);
});
afterAll(() => tracing.api.close());

const traced = async (start: Record<string, unknown>, end?: Record<string, unknown>): Promise<SeenCall> => {
  const item = client.start(start);
  const id = item.req.start['id'] as string;
  await client.upsert(item, ...(end ? [client.end(id, end)] : []));
  return (await client.read(id))!;
};

describe('a call that is read', () => {
  it('has every field that the SDKs know, null where it is unset', async () => {
    const id = randomUUID();
    await client.upsert({ req: { start: { project_id: client.projectId, id, started_at: 1 } } });
    expect(await client.read(id)).toEqual({
      id,
      project_id: client.projectId,
      op_name: '',
      display_name: null,
      trace_id: expect.any(String),
      parent_id: null,
      thread_id: null,
      turn_id: null,
      started_at: '1970-01-01T00:00:01.000000Z',
      ended_at: null,
      attributes: {},
      inputs: {},
      output: null,
      exception: null,
      summary: { weave: { status: 'running', trace_name: '' } },
      wb_user_id: client.user.username,
      wb_run_id: null,
      wb_run_step: null,
      wb_run_step_end: null,
      deleted_at: null,
    });
  });

  it.each<[string, Record<string, unknown> | undefined]>([
    ['running', undefined],
    ['success', { summary: { status_counts: { error: 0, success: 3 } } }],
    ['success', { exception: '' }],
    ['error', { exception: 'boom', summary: { status_counts: { error: 1 } } }],
    ['descendant_error', { summary: { status_counts: { error: 2 } } }],
    ['success', { summary: { status_counts: 'many', weave: 1 } }],
  ])('has the status %s after the end %j', async (status, end) => {
    expect((await traced({}, end)).summary.weave.status).toBe(status);
  });

  it.each([
    ['2026-01-31T12:00:00.000900Z', '2026-01-31T12:00:00.001100Z', 0],
    ['2026-01-31T12:00:00.000900Z', '2026-01-31T12:00:00.001900Z', 1],
    ['2026-01-31T12:00:10Z', '2026-01-31T12:00:00Z', -10_000],
    ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 315_537_897_599_000],
  ])('that runs from %s to %s takes %d ms', async (started_at, ended_at, latency) => {
    expect((await traced({ started_at }, { ended_at })).summary.weave.latency_ms).toBe(latency);
  });

  it.each([
    ['weave:///acme/support/op/answer:7b6f', undefined, 'answer'],
    ['weave:///acme/support/op/answer:*', null, 'answer'],
    ['weave:///acme/support/object/thing:1', undefined, 'weave:///acme/support/object/thing:1'],
    ['answer', undefined, 'answer'],
    ['weave:///acme/support/op/answer:7b6f', 'Answer!', 'Answer!'],
  ])('of the op %s, displayed as %s, has the trace name %s', async (op_name, display_name, name) => {
    expect((await traced({ op_name, display_name })).summary.weave.trace_name).toBe(name);
  });
});

describe('costs', () => {
  it('are read with a call if the request asks for them', async () => {
    const costs = { 'some-model': { prompt_token_cost: 0.5, completion_token_cost: 2 } };
    expect((await client.post('/cost/create', { project_id: client.projectId, costs })).status).toBe(200);
    const usage = { 'some-model': { requests: 1, prompt_tokens: 4, completion_tokens: 3 } };
    const { id, summary } = await traced({ started_at: new Date().toISOString() }, { summary: { usage } });
    expect(summary.weave).not.toHaveProperty('costs');
    const { text } = await client.post('/call/read', { project_id: client.projectId, id, include_costs: true });
    const read = JSON.parse(text) as { call: { summary: { weave: object } } };
    expect(read.call.summary.weave).toMatchObject({
      costs: { 'some-model': { prompt_tokens: 4, prompt_tokens_total_cost: 2, completion_tokens_total_cost: 6 } },
    });
  });
});

describe('the single routes', () => {
  it('start and end a call', async () => {
    const { req } = client.start();
    const ids = { id: req.start['id'], trace_id: req.start['trace_id'] };
    expect(JSON.parse((await client.post('/call/start', req)).text)).toEqual(ids);
    expect(await client.post('/call/end', client.end(ids.id as string, { output: 1 }).req)).toEqual({
      status: 200,
      text: '{}',
    });
    expect(await client.read(ids.id as string)).toMatchObject({ ...ids, output: 1 });
  });

  it('take the project from the path', async () => {
    const { req } = client.start({ project_id: 'elsewhere/x' });
    expect((await client.post(`/v2/${client.projectId}/call/start`, req)).status).toBe(200);
    expect(await client.read(req.start['id'] as string)).toMatchObject({ project_id: client.projectId });
  });

  it('store complete calls, a thousand at once', async () => {
    const { start } = client.start().req;
    const batch = Array.from({ length: 1000 }, (_, i) => ({
      ...start,
      ...client.end(`complete-${i}`, { output: i, display_name: 'D', exception: null }).req.end,
    }));
    expect(await client.post(`/v2/${client.projectId}/calls/complete`, { batch })).toEqual({ status: 200, text: '{}' });
    expect(await client.read('complete-999')).toMatchObject({
      output: 999,
      display_name: 'D',
      trace_id: start['trace_id'],
    });
  });
});

describe('deleting', () => {
  const del = async (...call_ids: string[]): Promise<unknown> =>
    JSON.parse((await client.post('/calls/delete', { project_id: client.projectId, call_ids })).text);

  it('takes all descendants along, and nothing else', async () => {
    const [root, child, leaf, other] = ['r', 'c', 'l', 'o'].map((name) => `${name}-${randomUUID()}`) as [
      string,
      string,
      string,
      string,
    ];
    await client.upsert(
      client.start({ id: leaf, parent_id: child }),
      client.start({ id: child, parent_id: root }),
      client.start({ id: root }),
      client.start({ id: other, parent_id: 'elsewhere' }),
    );
    expect(await del(root)).toEqual({ num_deleted: 3 });
    expect(await Promise.all([root, child, leaf].map((id) => client.read(id)))).toEqual([null, null, null]);
    expect(await client.read(other)).toMatchObject({ id: other });
    expect(await del(root, 'unknown')).toEqual({ num_deleted: 0 });
  });

  it('ends where parents form a circle', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await client.upsert(client.start({ id: a, parent_id: b }), client.start({ id: b, parent_id: a }));
    expect(await del(a)).toEqual({ num_deleted: 2 });
  });

  it('finds calls whose ids are too long for an index', async () => {
    const [id, child] = ['i'.repeat(9000), randomUUID()];
    await client.upsert(client.start({ id }), client.start({ id: child, parent_id: id }));
    expect(await del(id)).toEqual({ num_deleted: 2 });
  });

  it('is final: neither a late end nor a second start brings the call back', async () => {
    const { req } = client.start();
    const id = req.start['id'] as string;
    await client.upsert({ mode: 'start', req });
    await del(id);
    await client.upsert(client.end(id, { output: 1 }), { mode: 'start', req });
    expect(await client.read(id)).toBeNull();
  });

  it('takes up to 1,000 ids', async () => {
    expect(await del(...Array<string>(1000).fill('x'))).toEqual({ num_deleted: 0 });
    expect(await del(...Array<string>(1001).fill('x'))).toMatchObject({ code: 'validation_error' });
  });
});

describe('renaming', () => {
  const rename = (call_id: string, display_name: unknown) =>
    client.post('/call/update', { project_id: client.projectId, call_id, display_name });

  it('sets a name, clears it with an empty one, and leaves it alone with null', async () => {
    const { id } = await traced({ display_name: 'first' });
    const seen: unknown[] = [];
    for (const name of ['second', null, '']) {
      expect(await rename(id, name)).toEqual({ status: 200, text: '{}' });
      seen.push((await client.read(id))?.['display_name']);
    }
    expect(seen).toEqual(['second', 'second', null]);
  });

  it('is not undone by the start that is sent again', async () => {
    const item = client.start({ display_name: 'first' });
    const id = item.req.start['id'] as string;
    await client.upsert(item);
    for (const name of ['second', '']) {
      await rename(id, name);
      await client.upsert(item);
      expect(await client.read(id)).toMatchObject({ display_name: name || null });
    }
  });

  it('may come before the call', async () => {
    const id = randomUUID();
    await rename(id, 'early');
    expect(await client.read(id)).toBeNull();
    await client.upsert(client.start({ id, display_name: 'planned' }));
    expect(await client.read(id)).toMatchObject({ display_name: 'early' });
  });
});

describe('another team', () => {
  it('can neither read, nor write, nor delete, nor rename, and learns nothing', async () => {
    const { id } = await traced({});
    const stranger = await tracing.another();
    const { projectId } = client;
    const own = { ...stranger.start(), req: { start: { ...stranger.start().req.start, id: 'own' } } };
    const answers = await Promise.all([
      stranger.post('/call/read', { project_id: projectId, id }),
      stranger.post('/calls/delete', { project_id: projectId, call_ids: [id] }),
      stranger.post('/call/update', { project_id: projectId, call_id: id, display_name: 'mine' }),
      stranger.upsert(own, client.end(id, { output: 'mine' })),
      stranger.post('/call/start', client.start({ id }).req),
      stranger.post('/call/end', client.end(id).req),
      stranger.post(`/v2/${projectId}/calls/complete`, { batch: [client.start({ id }).req.start] }),
      stranger.post(`/v2/${projectId}/call/start`, client.start({ id }).req),
      stranger.post(`/v2/${projectId}/call/end`, client.end(id).req),
    ]);
    for (const { status, text } of answers) {
      expect([status, JSON.parse(text)]).toEqual([
        404,
        expect.objectContaining({ code: 'entity_not_found', reason: expect.any(String) }),
      ]);
    }
    expect(await client.read(id)).toMatchObject({ output: null, display_name: null });
    expect(await stranger.read('own')).toBeNull();
    const { rows } = await tracing.api.database.pool.query("SELECT FROM calls WHERE id = 'own'");
    expect(rows).toHaveLength(0);
  });

  it('is shut out without a key', async () => {
    const response = await fetch(`${tracing.api.url}/call/upsert_batch`, { method: 'POST', body: '{"batch":[]}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ]);
  });
});
