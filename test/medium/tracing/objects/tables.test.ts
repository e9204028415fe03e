import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from './trace-client.js';

interface Row {
  digest: string;
  val: Record<string, unknown>;
  original_index: number;
}

describe('tables', () => {
  let api: TestApi;
  let client: TraceClient;
  let stranger: TraceClient;

  beforeAll(async () => {
    api = await startApi();
    const [member, other] = [await api.given.member(), await api.given.member()];
    client = new TraceClient(api.url, member, member.entity);
    stranger = new TraceClient(api.url, other, member.entity);
  });
  afterAll(() => api.close());

  const query = async (digest: string, more: object = {}): Promise<Row[]> =>
    (await client.post('/table/query', { digest, ...more })).json<{ rows: Row[] }>().rows;
  const values = async (digest: string, more: object = {}): Promise<unknown[]> =>
    (await query(digest, more)).map(({ val }) => val['n']);
  const numbered = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));

  it('gives rows and table the digests that the SDKs compute', async () => {
    // weave 0.54: compute_row_digest({"n": 1}), compute_table_digest([that, that])
    expect(await client.createTable([{ n: 1 }, { n: 1 }])).toEqual({
      digest: '72572928ca9d41514bc32a8e2d23d0eb5b1ab235748bc928b44014f4d2e6cb60',
      row_digests: ['5dX3wdIlYWsTYj67G1udB1xwVln4GGix43AFoJI7A0Y', '5dX3wdIlYWsTYj67G1udB1xwVln4GGix43AFoJI7A0Y'],
    });
  });

  it('keeps the order, and repeats rows that repeat', async () => {
    const { digest, row_digests } = await client.createTable([{ n: 2 }, { n: 1 }, { n: 2 }]);
    const rows = await query(digest);
    expect(rows.map(({ digest: row, val, original_index }) => [row, val['n'], original_index])).toEqual([
      [row_digests[0], 2, 0],
      [row_digests[1], 1, 1],
      [row_digests[0], 2, 2],
    ]);
  });

  it('pages within and across the chunks in which it is stored', async () => {
    const { digest } = await client.createTable(numbered(2500));
    expect(await values(digest, { limit: 3, offset: 999 })).toEqual([999, 1000, 1001]);
    expect(await values(digest, { limit: 300, offset: 1900 })).toEqual(numbered(300).map(({ n }) => n + 1900));
    expect(await values(digest, { offset: 2499 })).toEqual([2499]);
    expect(await values(digest, { offset: 2500 })).toEqual([]);
    expect(await values(digest, { limit: 0 })).toEqual([]);
    expect((await query(digest)).map(({ original_index }) => original_index)).toEqual(numbered(2500).map(({ n }) => n));
  });

  it('filters by row digest, and sorts by a field', async () => {
    const { digest, row_digests } = await client.createTable([{ n: 10 }, { n: 9 }, { n: 'ten' }, {}, { n: 10 }]);
    expect(await values(digest, { filter: { row_digests: [row_digests[0]] } })).toEqual([10, 10]);
    const sort_by = [{ field: 'n', direction: 'desc' }];
    expect(await values(digest, { sort_by })).toEqual([10, 10, 9, 'ten', undefined]);
    expect(await values(digest, { sort_by, limit: 2, offset: 1 })).toEqual([10, 9]);
  });

  it('returns hostile rows as they were sent, and sorts them last', async () => {
    // Keys of their own: a row whose digest is known comes back as the text that it was first sent as.
    const deep = `{"h": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    const rows = ['{"h": "\\u0000"}', '{"h": 1.10, "h": 3 }', deep, '{"h": 1e999999}', '{"h": 12345678901234567890}'];
    const table = `{"project_id": "${client.projectId}", "rows": [${rows.join(',')}]}`;
    const { digest } = (await client.post('/table/create', `{"table": ${table}}`)).json<{ digest: string }>();
    const { text } = await client.post('/table/query', { digest });
    expect(rows.map((row) => text.includes(`"val":${row}`))).toEqual(rows.map(() => true));
    const sorted = await client.post('/table/query', { digest, sort_by: [{ field: 'h', direction: 'asc' }] });
    const places = ['1.10', '12345678901234567890', '[[['].map((part) => sorted.text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('makes tables from tables: appended, inserted, popped', async () => {
    const { digest: base_digest } = await client.createTable([{ n: 1 }, { n: 2 }]);
    const updates = [{ append: { row: { n: 3 } } }, { insert: { index: 0, row: { n: 0 } } }, { pop: { index: 2 } }];
    const answer = await client.post('/table/update', { base_digest, updates });
    const updated = answer.json<{ digest: string; updated_row_digests: string[] }>();
    expect(updated.updated_row_digests).toHaveLength(3);
    expect(await values(updated.digest)).toEqual([0, 1, 3]);
    expect(await values(base_digest)).toEqual([1, 2]);
  });

  it.each([
    ['a place that is not there', { pop: { index: 2 } }],
    ['a row that is no object', { append: { row: 1 } }],
    ['an unknown step', { shuffle: {} }],
  ])('refuses an update with %s', async (_name, update) => {
    const { digest: base_digest } = await client.createTable([{ n: 1 }, { n: 2 }]);
    expect((await client.post('/table/update', { base_digest, updates: [update] })).status).toBe(422);
  });

  it('makes a table of rows that are stored, and of no others', async () => {
    const [left, right] = [await client.createTable([{ n: 1 }]), await client.createTable([{ n: 5 }])];
    const row_digests = [...right.row_digests, ...left.row_digests];
    const made = await client.post('/table/create_from_digests', { row_digests });
    expect(await values(made.json<{ digest: string }>().digest)).toEqual([5, 1]);
    expect((await client.post('/table/create_from_digests', { row_digests: ['unknown'] })).status).toBe(404);
    expect((await client.post('/table/create_from_digests', { row_digests: [] })).status).toBe(200);
  });

  it('counts rows, and leaves out tables that are not there', async () => {
    const [two, none] = [await client.createTable([{ n: 1 }, { n: 1 }]), await client.createTable([])];
    expect((await client.post('/table/query_stats', { digest: two.digest })).json()).toEqual({ count: 2 });
    const batch = await client.post('/table/query_stats_batch', {
      digests: ['unknown', none.digest, two.digest],
      include_storage_size: true,
    });
    expect(batch.json()).toEqual({
      tables: [
        { digest: none.digest, count: 0, storage_size_bytes: 0 },
        { digest: two.digest, count: 2, storage_size_bytes: 7 },
      ],
    });
  });

  it('stores 100,000 rows, also from several clients at once', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, text: `question ${n % 50_000}` }));
    const created = await Promise.all([client.createTable(rows), client.createTable(rows.toReversed())]);
    const { digest } = created[0];
    expect((await client.post('/table/query_stats', { digest })).json()).toEqual({ count: 100_000 });
    expect(await values(digest, { offset: 99_998 })).toEqual([99_998, 99_999]);
    expect(await query(digest)).toHaveLength(100_000);
  }, 120_000);

  it('shows another team nothing', async () => {
    const { digest } = await client.createTable([{ n: 'secret' }]);
    for (const path of ['query', 'query_stats', 'query_stats_batch', 'update', 'create_from_digests']) {
      const body = { digest, base_digest: digest, digests: [digest], updates: [], row_digests: [] };
      expect([path, (await stranger.post(`/table/${path}`, body)).status]).toEqual([path, 404]);
    }
  });
});
