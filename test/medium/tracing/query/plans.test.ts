import { indexJsonSync } from '@heddle/json';
import { readCallQuery } from '../../../../libs/tracing/src/calls/call-query-request.js';
import { countCalls, selectIds } from '../../../../libs/tracing/src/calls/call-query-statement.js';
import type { Statement } from '../../../../libs/tracing/src/query/statement.js';
import { givenManyCalls } from './many-calls.js';
import { QueryClient, startQueries } from './query-client.js';

describe('The plan of a call query in a large project', () => {
  let calls: QueryClient;
  let projectId: number;

  beforeAll(async () => {
    calls = await startQueries();
    const small = new QueryClient(calls.api, calls.user, 'small');
    await givenManyCalls(small, 2000);
    await givenManyCalls(calls, 20_000);
    const { rows } = await calls.api.database.pool.query<{ id: number }>(
      "SELECT id FROM projects WHERE name = 'traces'",
    );
    projectId = rows[0]!.id;
  });
  afterAll(() => calls.api.close());

  const explain = async (make: typeof selectIds | typeof countCalls, request: object): Promise<string> => {
    const body = JSON.stringify({ project_id: calls.projectId, ...request });
    const { text, values }: Statement = make(projectId, readCallQuery(indexJsonSync(Buffer.from(body))));
    const { rows } = await calls.api.database.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (COSTS OFF) ${text}`,
      values,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const indexesOf = (plan: string): string[] => [...new Set(plan.match(/calls_\w+/g))];
  const started = { field: 'started_at', direction: 'desc' };
  const op = 'weave:///team/project/op/op7';

  it.each([
    ['all', {}, 'calls_started_at_idx'],
    ['the newest', { sort_by: [started] }, 'calls_started_at_idx'],
    ['roots', { filter: { trace_roots_only: true } }, 'calls_roots_idx'],
    ['the newest roots', { filter: { trace_roots_only: true }, sort_by: [started] }, 'calls_roots_idx'],
    ['an op', { filter: { op_names: [`${op}:v1`] } }, 'calls_op_name_idx'],
    ['the newest of an op', { filter: { op_names: [`${op}:v1`] }, sort_by: [started] }, 'calls_op_name_idx'],
    [
      'those after a time',
      { query: { $expr: { $gt: [{ $getField: 'started_at' }, { $literal: 0 }] } } },
      'calls_started_at_idx',
    ],
    [
      'by a payload',
      { query: { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 5 }] } } },
      'calls_started_at_idx',
    ],
  ])('for a page of %s is a walk along an index, without a sort of everything', async (_what, request, index) => {
    const plan = await explain(selectIds, { ...request, limit: 50 });
    expect(indexesOf(plan)).toEqual([index]);
    expect(plan).not.toMatch(/Seq Scan|Bitmap|(?<!Incremental )Sort\n/);
  });

  it.each([
    ['trace_ids', ['trace-7'], 'calls_trace_id_idx'],
    ['parent_ids', ['call-000000100'], 'calls_parent_id_idx'],
    ['call_ids', ['call-000000100', 'call-000000200'], 'calls_pkey'],
    ['thread_ids', ['thread-7'], 'calls_thread_id_idx'],
    ['turn_ids', ['turn-7'], 'calls_turn_id_idx'],
    ['wb_run_ids', ['run-7'], 'calls_wb_run_id_idx'],
    ['input_refs', ['weave:///team/project/object/o7:v1'], 'calls_input_refs_idx'],
    ['output_refs', ['weave:///team/project/object/o7:v1'], 'calls_output_refs_idx'],
  ])('for %s looks up only the calls that match', async (name, value, index) => {
    for (const limit of [undefined, 50]) {
      const plan = await explain(selectIds, { filter: { [name]: value }, limit });
      expect([limit, ...indexesOf(plan)]).toEqual([limit, index]);
    }
  });

  it.each([
    [{ $eq: [{ $getField: 'trace_id' }, { $literal: 'trace-7' }] }, 'calls_trace_id_idx', 'trace_id = '],
    [{ $in: [{ $getField: 'id' }, [{ $literal: 'a' }, { $literal: 'b' }]] }, 'calls_pkey', 'id = ANY'],
    [{ $gt: [{ $getField: 'started_at' }, { $literal: '2027-01-01' }] }, 'calls_started_at_idx', 'started_at > '],
  ])('for %j has the condition in the index', async ($expr, index, condition) => {
    const plan = await explain(selectIds, { query: { $expr } });
    expect(plan).toMatch(new RegExp(`using ${index}[^]*Index Cond: .*${condition}`));
  });

  it.each([
    ['all', {}, 'calls_started_at_idx'],
    ['roots', { trace_roots_only: true }, 'calls_roots_idx'],
    ['an op', { op_names: [`${op}:v1`] }, 'calls_op_name_idx'],
    ['an op in any version', { op_names: [`${op}:*`] }, 'calls_op_name_idx'],
  ])('for a count of %s does not look at the table', async (_what, filter, index) => {
    expect(await explain(countCalls, { filter })).toMatch(new RegExp(`Index Only Scan using ${index}`));
  });

  it('for any version of an op looks up the range of its name', async () => {
    const plan = await explain(selectIds, { filter: { op_names: [`${op}:*`] } });
    expect(plan).toMatch(/calls_op_name_idx[^]*op_name >=[^]*op_name </);
  });
});
