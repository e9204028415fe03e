import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from '../objects/trace-client.js';

type Link = Record<string, unknown> & { id: string };
interface Source {
  source_kind: 'call' | 'span' | 'conversation';
  source_id: string;
  source_trace_id: string;
}

const call = (id: string): Source => ({ source_kind: 'call', source_id: id, source_trace_id: '' });
const span = (id: string, trace: string): Source => ({ source_kind: 'span', source_id: id, source_trace_id: trace });
const conversation = (id: string): Source => ({ source_kind: 'conversation', source_id: id, source_trace_id: '' });

describe('Sources of the rows of datasets', () => {
  let api: TestApi;
  let client: TraceClient;
  let username: string;
  let dataset: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    const user = await api.given.member();
    username = user.username;
    client = new TraceClient(api.url, user, user.entity);
    await client.call({ id: 'c-1' }, { id: 'c-2' });
  });
  afterAll(() => api.close());
  beforeEach(() => {
    dataset = `questions-${++counter}`;
  });

  const post = (path: string, body: object) =>
    client.post(`/dataset_sources/${path}`, { dataset_object_id: dataset, dataset_digest: 'v0', ...body });
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const answer = await post(path, body);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json<T>();
  };
  const link = async (row: string, sources: Source[], more: object = {}) =>
    (
      await ask<{ entries: { link_id: string; created: boolean | null }[] }>('link', {
        links: [{ row_digest: row, sources, ...more }],
        include_created_status: true,
      })
    ).entries;
  const links = async (body: object = {}): Promise<Link[]> => (await ask<{ links: Link[] }>('query', body)).links;
  const unlink = async (...ids: string[]) =>
    (await ask<{ entries: { deleted: boolean }[] }>('link_delete', { link_ids: ids })).entries.map(
      (one) => one.deleted,
    );

  it('are kept as they were when they were linked', async () => {
    const [{ link_id: id } = { link_id: '' }] = await link('row', [call('c-1')], {
      link_metadata: { n: 1e2, by: 'ü' },
    });
    await client.post('/calls/delete', { call_ids: ['none'] });
    expect(await links()).toEqual([
      {
        id,
        row_digest: 'row',
        source_kind: 'call',
        source_id: 'c-1',
        source_trace_id: 'c-1',
        source_started_at: '2026-01-31T12:00:00.000000Z',
        source_display_name: 'op',
        link_metadata: { n: 100, by: 'ü' },
        added_by: username,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        deleted_at: null,
      },
    ]);
  });

  it('are one link however often they are linked, and the same when it comes back', async () => {
    const [first, second] = await link('row', [call('c-1'), span('c-1', 'c-1')]);
    expect([first?.created, second?.created]).toEqual([true, true]);
    expect(first!.link_id).not.toBe(second!.link_id);
    expect(await link('row', [call('c-1'), call('c-1')])).toEqual([
      { link_id: first!.link_id, created: false },
      { link_id: first!.link_id, created: false },
    ]);
    expect(await unlink(first!.link_id)).toEqual([true]);
    expect(await unlink(first!.link_id, second!.link_id)).toEqual([false, true]);
    expect(await links()).toEqual([]);
    expect(await links({ include_deleted: true })).toHaveLength(2);
    expect(await link('row', [call('c-1')])).toEqual([{ link_id: first!.link_id, created: true }]);
    expect(await links()).toMatchObject([{ id: first!.link_id, deleted_at: null }]);
  });

  it('are found by row and kind, in order and in pages', async () => {
    await link('b', [conversation('talk'), call('c-1')]);
    await link('a', [call('c-2')]);
    const found = async (body: object) =>
      (await links(body)).map((one) => `${String(one.row_digest)} ${String(one.source_id)}`);
    expect(await found({})).toEqual(['a c-2', 'b c-1', 'b talk']);
    expect(await found({ row_digests: ['b'], source_kinds: ['conversation'] })).toEqual(['b talk']);
    expect(await found({ limit: 1, offset: 1 })).toEqual(['b c-1']);
    expect(await found({ dataset_object_id: 'none' })).toEqual([]);
  });

  it('say which datasets have rows of them', async () => {
    const other = `other-${counter}`;
    await link('r-2', [conversation(dataset)]);
    await link('r-1', [conversation(dataset)]);
    await ask('link', { dataset_object_id: other, links: [{ row_digest: 'r', sources: [conversation(dataset)] }] });
    const sources = [conversation(dataset), conversation(dataset), conversation('none')];
    const { memberships } = await ask<{ memberships: object[] }>('source_datasets_query', { sources });
    const common = {
      source_kind: 'conversation',
      source_id: dataset,
      source_trace_id: '',
      row_digests_truncated: false,
    };
    expect(memberships).toEqual([
      {
        ...common,
        dataset_object_id: other,
        row_digests: ['r'],
        row_digests_total_count: 1,
        first_seen_at: expect.any(String),
      },
      {
        ...common,
        dataset_object_id: dataset,
        row_digests: ['r-1', 'r-2'],
        row_digests_total_count: 2,
        first_seen_at: expect.any(String),
      },
    ]);
  });

  it('show the first 100 rows of a dataset, and count all', async () => {
    const rows = Array.from({ length: 101 }, (_, n) => `r-${String(n).padStart(3, '0')}`);
    const all = rows.map((row) => ({ row_digest: row, sources: [conversation(dataset)] }));
    await ask('link', { links: all.reverse() });
    const sources = [conversation(dataset)];
    const { memberships } = await ask<{ memberships: { row_digests: string[] }[] }>('source_datasets_query', {
      sources,
    });
    expect(memberships).toMatchObject([{ row_digests_truncated: true, row_digests_total_count: 101 }]);
    expect(memberships[0]!.row_digests).toEqual(rows.slice(0, 100));
  });

  it.each([
    ['a call that is not there', call('none'), 'source_id'],
    ['a span of another trace', span('c-1', 'none'), 'source_id'],
    ['a conversation in a trace', { ...conversation('a'), source_trace_id: 't' }, 'source_trace_id'],
  ])('refuse %s, and keep nothing of the request then', async (_what, source, field) => {
    const refused = await post('link', { links: [{ row_digest: 'a', sources: [call('c-1'), source] }] });
    expect(refused.status).toBe(422);
    const loc = ['body', 'links', '0', 'sources', '1', field];
    expect(refused.json<{ detail: { loc: string[] }[] }>().detail[0]!.loc).toEqual(loc);
    expect(await links()).toEqual([]);
  });

  it('refuse more than 1,000 in one request, and ids that no link has', async () => {
    const many = Array.from({ length: 501 }, () => conversation('a'));
    const two = [
      { row_digest: 'a', sources: many },
      { row_digest: 'b', sources: many },
    ];
    expect((await post('link', { links: two })).status).toBe(422);
    const [{ link_id: id } = { link_id: '' }] = await link('row', [conversation('a')]);
    expect((await post('link_delete', { link_ids: [id, 'none'] })).status).toBe(422);
    expect(await links()).toHaveLength(1);
  });
});
