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

const at = (second: number): string => `2026-01-31T12:00:${String(second).padStart(2, '0')}.000000Z`;

/** Each rule must hold where the parts come in one request, and where each has its own. */
const deliveries: [string, (...items: unknown[]) => Promise<unknown>][] = [
  ['in one batch', (...items) => client.upsert(...items)],
  [
    'one by one',
    async (...items) => {
      for (const item of items) expect((await client.upsert(item)).status).toBe(200);
    },
  ],
];

describe.each(deliveries)('parts of a call that arrive %s', (_, deliver) => {
  it('make one call of a start and its end', async () => {
    const id = randomUUID();
    await deliver(client.start({ id, inputs: { a: 1 } }), client.end(id, { output: [2], exception: null }));
    expect(await client.read(id)).toMatchObject({
      id,
      inputs: { a: 1 },
      output: [2],
      started_at: at(0),
      ended_at: at(1),
      summary: { weave: { status: 'success', latency_ms: 1000 } },
    });
  });

  it('make the same call of an end that comes before its start', async () => {
    const id = randomUUID();
    await deliver(client.end(id, { output: 'done' }), client.start({ id, op_name: 'late' }));
    expect(await client.read(id)).toMatchObject({ op_name: 'late', output: 'done', ended_at: at(1) });
  });

  it('keep the identity of the first start', async () => {
    const [id, trace_id] = [randomUUID(), randomUUID()];
    await deliver(
      client.start({ id, trace_id, op_name: 'first', parent_id: 'p', inputs: { n: 1 } }),
      client.start({ id, op_name: 'second', parent_id: 'q', inputs: { n: 2 }, started_at: at(30) }),
    );
    const kept = { trace_id, op_name: 'first', parent_id: 'p', inputs: { n: 1 }, started_at: at(0) };
    expect(await client.read(id)).toMatchObject(kept);
  });

  it('fill what the first start left null', async () => {
    const id = randomUUID();
    await deliver(
      client.start({ id, parent_id: null, inputs: undefined, wb_run_id: null }),
      client.start({
        id,
        parent_id: 'p',
        inputs: { ref: 'weave:///a/b/object/c:1' },
        wb_run_id: 'run',
        display_name: 'N',
      }),
    );
    const filled = { parent_id: 'p', inputs: { ref: 'weave:///a/b/object/c:1' }, wb_run_id: 'run', display_name: 'N' };
    expect(await client.read(id)).toMatchObject(filled);
    const { rows } = await tracing.api.database.pool.query('SELECT input_refs FROM calls WHERE id = $1', [id]);
    expect(rows).toEqual([{ input_refs: ['weave:///a/b/object/c:1'] }]);
  });

  it('take the end with the greatest ended_at, as a whole', async () => {
    const id = randomUUID();
    await deliver(
      client.start({ id }),
      client.end(id, { ended_at: at(5), exception: 'failed', output: 'none', summary: { n: 1 } }),
      client.end(id, { ended_at: at(9), output: 'final', summary: { n: 2 } }),
      client.end(id, { ended_at: at(7), output: 'older', exception: 'older' }),
    );
    const call = await client.read(id);
    expect(call).toMatchObject({ ended_at: at(9), exception: null, output: 'final', summary: { n: 2 } });
    expect(call?.summary.weave.status).toBe('success');
  });

  it('take the last to arrive of ends at the same time, and fill its nulls', async () => {
    const id = randomUUID();
    await deliver(
      client.start({ id }),
      client.end(id, { output: 'first', exception: 'oops', wb_run_step_end: 7 }),
      client.end(id, { output: 'second', exception: null }),
    );
    expect(await client.read(id)).toMatchObject({ output: 'second', exception: 'oops', wb_run_step_end: 7 });
  });

  it('let an end rename its call, unless it is outdone', async () => {
    const id = randomUUID();
    await deliver(
      client.start({ id, display_name: 'planned' }),
      client.end(id, { ended_at: at(9), display_name: 'in fact' }),
      client.end(id, { ended_at: at(3), display_name: 'outdone' }),
    );
    expect(await client.read(id)).toMatchObject({ display_name: 'in fact' });
  });

  it('never take the user from the items', async () => {
    const id = randomUUID();
    await deliver(client.start({ id, wb_user_id: 'somebody' }), client.end(id, { wb_user_id: 'else' }));
    expect(await client.read(id)).toMatchObject({ wb_user_id: client.user.username });
  });
});

describe('an end without a start', () => {
  it('is hidden, and shows when the start comes', async () => {
    const id = randomUUID();
    await client.upsert(client.end(id, { output: 1 }));
    expect(await client.readText(id)).toBe('{"call":null}');
    await client.upsert(client.start({ id }));
    expect(await client.read(id)).toMatchObject({ output: 1 });
  });

  it('may say when the call started, which is not yet its start', async () => {
    const id = randomUUID();
    const { req } = client.end(id, { started_at: at(0) });
    const path = `/v2/${client.projectId}/call/end`;
    expect(await client.post(path, req)).toEqual({ status: 200, text: '{}' });
    expect(await client.read(id)).toBeNull();
  });
});

describe('the same id', () => {
  it('is another call in another project', async () => {
    const id = randomUUID();
    const other = `${client.user.entity}/other`;
    await client.upsert(
      client.start({ id, op_name: 'here' }),
      client.start({ id, op_name: 'there', project_id: other }),
    );
    expect(await client.read(id)).toMatchObject({ op_name: 'here' });
    const { text } = await client.post('/call/read', { project_id: other, id });
    expect(JSON.parse(text)).toMatchObject({ call: { op_name: 'there', project_id: other } });
  });
});
