import { QueryClient, startQueries } from './query-client.js';

describe('POST /threads/stream_query', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 0, 0, second)).toISOString();
    const turn = (thread_id: string, id: string, from: number, to?: number) => ({
      id,
      thread_id,
      turn_id: id,
      started_at: at(from),
      ...(to === undefined ? {} : { ended_at: at(to) }),
    });
    await calls.given(
      turn('talk', 'hello', 0, 1),
      turn('talk', 'bye', 10, 13),
      { id: 'tool', parent_id: 'hello', thread_id: 'talk', turn_id: 'hello', started_at: at(50) },
      turn('other\u0000', 'only', 5),
      turn('gone', 'deleted', 20, 21),
      { id: 'alone' },
    );
    await calls.post('/calls/delete', { call_ids: ['deleted'] });
  });
  afterAll(() => calls.api.close());

  const threads = async (request: object = {}): Promise<Record<string, unknown>[]> => {
    const text = await (await calls.post('/threads/stream_query', request)).text();
    return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Record<string, unknown>] : []));
  };
  const ids = async (request: object): Promise<unknown[]> => (await threads(request)).map(({ thread_id }) => thread_id);

  it('sums up the turns of each thread, the last updated first', async () => {
    expect(await threads()).toEqual([
      {
        thread_id: 'talk',
        turn_count: 2,
        start_time: '2026-01-31T00:00:00.000000Z',
        last_updated: '2026-01-31T00:00:13.000000Z',
        first_turn_id: 'hello',
        last_turn_id: 'bye',
        p50_turn_duration_ms: 2000,
        p99_turn_duration_ms: 2980,
      },
      {
        thread_id: 'other\u0000',
        turn_count: 1,
        start_time: '2026-01-31T00:00:05.000000Z',
        last_updated: '2026-01-31T00:00:05.000000Z',
        first_turn_id: 'only',
        last_turn_id: 'only',
        p50_turn_duration_ms: null,
        p99_turn_duration_ms: null,
      },
    ]);
  });

  it.each([
    [{ filter: { thread_ids: ['other\u0000', 'gone'], after_datetime: null } }, ['other\u0000']],
    [{ filter: { after_datetime: '2026-01-31T00:00:01Z' } }, ['other\u0000']],
    [{ filter: { before_datetime: '2026-01-31T00:00:13Z' } }, ['other\u0000']],
    [{ sort_by: [{ field: 'turn_count', direction: 'asc' }] }, ['other\u0000', 'talk']],
    [{ sort_by: [{ field: 'p50_turn_duration_ms', direction: 'desc' }], limit: 1 }, ['talk']],
    [{ limit: 1, offset: 1 }, ['other\u0000']],
  ])('answers %j', async (request, found) => {
    expect(await ids(request)).toEqual(found);
  });

  it.each([
    [{ sort_by: [{ field: 'turn_count; DROP TABLE calls', direction: 'asc' }] }],
    [{ sort_by: [{ field: 'turn_count', direction: 'asc; DROP TABLE calls' }] }],
    [{ filter: { after_datetime: 'yesterday' } }],
    [{ filter: { thread_ids: 'talk' } }],
  ])('refuses %j', async (request) => {
    expect((await calls.post('/threads/stream_query', request)).status).toBe(422);
  });

  it("shows nobody another team's threads", async () => {
    const eve = new QueryClient(calls.api, await calls.api.given.member());
    expect((await calls.post('/threads/stream_query', {}, { headers: eve.user.basic })).status).toBe(404);
    expect(await (await eve.post('/threads/stream_query', {})).text()).toBe('');
  });
});
