import fc from 'fast-check';
import { CallRollupsRepository } from '../../../../libs/tracing/src/rollups/call-rollups.repository.js';
import { RefreshCallRollupsHandler } from '../../../../libs/tracing/src/rollups/refresh-call-rollups.handler.js';
import { QueryClient, startQueries } from '../query/query-client.js';

const HOUR = { start: '2026-01-31T12:00:00Z', end: '2026-01-31T12:59:30Z', granularity: 600 };
const SDK = { weave: { client_version: '0.54.0' } };
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

type Point = Record<string, string | number | null>;
interface Stats {
  call_buckets: Point[];
  usage_buckets: Point[];
}

/** Something that befalls the calls of a project: any of them may come in any order, or twice. */
type Event =
  | { kind: 'start'; id: string; parent: string | null; second: number; sdk: boolean }
  | { kind: 'end'; id: string; tokens: number | null; failed: boolean }
  | { kind: 'delete' | 'rename'; id: string }
  | { kind: 'look' | 'prune' };

const id = fc.constantFrom(...IDS);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('start' as const),
    id,
    parent: fc.option(id),
    second: fc.integer({ min: 0, max: 3600 }),
    sdk: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('end' as const), id, tokens: fc.option(fc.nat(50)), failed: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'rename' as const), id }),
  fc.record({ kind: fc.constantFrom('look' as const, 'prune' as const) }),
);

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, second)).toISOString();

describe('Sums of calls by minute', () => {
  let calls: QueryClient;
  let projects = 0;
  beforeAll(async () => {
    calls = await startQueries();
  });
  afterAll(() => calls.api.close());
  const nextProject = () => (calls = new QueryClient(calls.api, calls.user, `rollups-${++projects}`));
  const pool = () => calls.api.database.pool;

  /** @param more an aggregation that no sum can tell makes it read every call */
  const stats = async (more: string[] = []): Promise<Stats> => {
    const call_metrics = ['call_count', 'error_count', 'latency_ms'].map((metric) => ({
      metric,
      aggregations: ['sum', 'avg', 'count', ...more],
    }));
    const usage_metrics = ['input_tokens', 'total_tokens', 'total_cost'].map((metric) => ({
      metric,
      aggregations: ['sum', 'avg', 'count', ...more],
    }));
    const response = await calls.post('/calls/stats', { ...HOUR, call_metrics, usage_metrics });
    const { call_buckets, usage_buckets } = (await response.json()) as Stats;
    const without = (points: Point[]) =>
      points.map((point) => Object.fromEntries(Object.entries(point).filter(([name]) => !name.startsWith('max_'))));
    return { call_buckets: without(call_buckets), usage_buckets: without(usage_buckets) };
  };
  const count = async (more: object = {}): Promise<number> => {
    const response = await calls.post('/calls/query_stats', more);
    return ((await response.json()) as { count: number }).count;
  };
  const everyCall = { query: { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] } } };

  async function happen(event: Event): Promise<void> {
    switch (event.kind) {
      case 'start': {
        const attributes = event.sdk ? SDK : {};
        await calls.given({ id: event.id, parent_id: event.parent, started_at: at(event.second), attributes });
        return;
      }
      case 'end': {
        const usage =
          event.tokens === null ? {} : { usage: { 'gpt-4o': { prompt_tokens: event.tokens, completion_tokens: 1 } } };
        const end = { id: event.id, ended_at: at(5000), summary: usage, exception: event.failed ? 'no' : null };
        const batch = [{ mode: 'end', req: { end: { project_id: calls.projectId, ...end } } }];
        await calls.upsert(JSON.stringify({ batch }));
        return;
      }
      case 'delete':
        await calls.post('/calls/delete', { call_ids: [event.id] });
        return;
      case 'rename':
        await calls.post('/call/update', { call_id: event.id, display_name: 'renamed' });
        return;
      case 'look':
        await stats();
        return;
      case 'prune':
        await pool().query('DELETE FROM calls WHERE deleted_at IS NOT NULL');
    }
  }

  it('say what every call says, whatever happened to the calls and in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 12 }), async (events) => {
        nextProject();
        for (const each of events) await happen(each);
        expect(await stats()).toEqual(await stats(['max']));
        expect(await count()).toBe(await count(everyCall));
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  it('are made by the worker once a minute has come to rest, and read as they are', async () => {
    nextProject();
    await happen({ kind: 'start', id: 'a', parent: null, second: 5, sdk: false });
    await pool().query("UPDATE call_changes SET created_at = now() - interval '10 seconds'");
    await new RefreshCallRollupsHandler(new CallRollupsRepository(pool())).handle();
    const { rows } = await pool().query('SELECT count(*)::int AS changes FROM call_changes');
    expect(rows).toEqual([{ changes: 0 }]);
    expect(await count()).toBe(1);
    // What nobody noted isn't seen: this is no recount.
    await pool().query('UPDATE call_minutes SET calls = calls + 6');
    expect(await count()).toBe(7);
    expect(await count({ limit: 3 })).toBe(3);
  });

  it('leave a minute that is written to for later', async () => {
    nextProject();
    await happen({ kind: 'start', id: 'a', parent: null, second: 5, sdk: false });
    await new RefreshCallRollupsHandler(new CallRollupsRepository(pool())).handle();
    const { rows } = await pool().query('SELECT count(*)::int AS changes FROM call_changes');
    expect(rows).toEqual([{ changes: 1 }]);
  });

  it('are not waited for where there is too much to sum up: then every call is read', async () => {
    nextProject();
    await happen({ kind: 'start', id: 'a', parent: null, second: 5, sdk: false });
    await pool().query(
      `INSERT INTO calls (project_id, id, op_name, started_at)
       SELECT project_id, 'more-' || i, 'op', started_at + i * interval '100 ms' FROM calls, generate_series(1, 20001) i
       WHERE id = 'a' AND project_id = (SELECT max(project_id) FROM calls)`,
    );
    expect(await count()).toBe(20_002);
    const { rows } = await pool().query('SELECT count(*)::int AS changes FROM call_changes');
    expect(rows[0]).not.toEqual({ changes: 0 });
  });
});
