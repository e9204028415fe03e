import { type QueryClient, startQueries } from './query-client.js';

describe('Sorting, pages and columns of a call query', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    const second = '2026-01-31T00:00:01Z';
    await calls.given(
      { id: 'e', started_at: '2026-01-31T00:00:05Z', inputs: { v: 10, 'a.b': 1 }, op_name: 'x' },
      { id: 'd', started_at: second, inputs: { v: 9.5 }, op_name: 'y', ended_at: '2026-01-31T00:00:02Z', output: 1 },
      { id: 'c', started_at: second, inputs: { v: 'b' }, op_name: 'x', ended_at: '2026-01-31T00:00:04Z' },
      { id: 'b', started_at: '2026-01-31T00:00:01.000001Z', inputs: { v: 'a' }, op_name: 'y' },
      { id: 'a', started_at: '2026-01-31T00:00:03Z', inputs: {}, op_name: 'x', exception: 'E', ended_at: 0 },
    );
  });
  afterAll(() => calls.api.close());

  const sorted = (...keys: [string, string][]): Promise<string> =>
    calls.ids({ sort_by: keys.map(([field, direction]) => ({ field, direction })) });

  it('goes by start time to the microsecond, then by id', async () => {
    expect(await calls.ids()).toBe('c d b a e');
  });

  it.each([
    ['started_at', 'desc', 'e a b d c'],
    ['id', 'desc', 'e d c b a'],
    ['op_name', 'asc', 'c a e d b'],
    ['op_name', 'desc', 'd b c a e'],
    ['ended_at', 'asc', 'a d c b e'],
    ['ended_at', 'desc', 'c d a b e'],
    ['inputs.v', 'asc', 'd e b c a'],
    ['inputs.v', 'desc', 'e d c b a'],
    ['summary.weave.latency_ms', 'desc', 'c d a b e'],
    ['summary.weave.status', 'asc', 'a b e c d'],
  ])('by %s %s; what is missing comes last', async (field, direction, ids) => {
    expect(await sorted([field, direction])).toBe(ids);
  });

  it('goes by several keys', async () => {
    expect(await sorted(['op_name', 'desc'], ['id', 'desc'])).toBe('d b e c a');
    expect(await sorted(['op_name', 'asc'], ['started_at', 'desc'])).toBe('e a c b d');
  });

  it.each([{}, { sort_by: [{ field: 'op_name', direction: 'desc' }] }])(
    'cuts pages that fit together: %j',
    async (request) => {
      const pages = await Promise.all([0, 2, 4].map((offset) => calls.ids({ ...request, limit: 2, offset })));
      expect(pages.join(' ')).toBe(await calls.ids(request));
      expect(await calls.ids({ ...request, offset: 5 })).toBe('');
      expect(await calls.ids({ ...request, limit: 0 })).toBe('');
    },
  );

  it('counts no further than the limit', async () => {
    expect(await calls.count()).toBe(5);
    expect(await calls.count({ limit: 3 })).toBe(3);
    expect(await calls.count({ limit: 10 })).toBe(5);
    expect(await calls.count({ limit: 0 })).toBe(0);
  });

  it('returns the columns asked for, and those that SDKs require', async () => {
    const [call] = await calls.find({ columns: ['output', 'ended_at'], filter: { call_ids: ['d'] } });
    expect(call).toEqual({
      id: 'd',
      project_id: calls.projectId,
      op_name: 'y',
      trace_id: expect.any(String) as string,
      started_at: '2026-01-31T00:00:01.000000Z',
      ended_at: '2026-01-31T00:00:02.000000Z',
      attributes: {},
      inputs: {},
      output: 1,
    });
  });

  it('returns a payload whole where a place in it is asked for', async () => {
    const [call] = await calls.find({ columns: ['inputs.v', 'summary.weave.status'], filter: { call_ids: ['e'] } });
    expect(call).toMatchObject({ inputs: { v: 10, 'a.b': 1 }, summary: { weave: { status: 'running' } } });
    expect(call).not.toHaveProperty('output');
  });

  it('answers with what /call/read answers', async () => {
    for (const call of await calls.find()) {
      const read = await calls.post('/call/read', { id: call.id });
      expect(await read.json()).toEqual({ call });
    }
  });
});
