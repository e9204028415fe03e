import { eq, field, literal, QueryClient, startQueries } from './query-client.js';

const HOSTILE = [
  "'; DROP TABLE calls; --",
  '" OR 1=1 --',
  "') OR true --",
  '$1',
  '$$; SELECT 1; $$',
  '{a,b}',
  '\\',
  '%',
  'x\u0000y',
  '\ud800',
];

describe('A call query that can not be run', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    await calls.given({ id: 'a', inputs: { x: 1 } });
  });
  afterAll(() => calls.api.close());

  const refusal = async (request: unknown): Promise<{ status: number; loc?: string; type?: string }> => {
    const response = await calls.post('/calls/stream_query', request);
    const { detail } = (await response.json()) as { detail?: { loc: string[]; type: string }[] };
    return { status: response.status, loc: detail?.[0]?.loc.join('.'), type: detail?.[0]?.type };
  };

  const x = field('inputs.x');
  const one = literal(1);

  it.each([
    ['{"project_id": "a/b", "query": {}}', 'body.query.$expr', 'missing'],
    ['{"project_id": "a/b", "limit": -1}', 'body.limit', 'minimum_error'],
    ['{"project_id": "a/b", "limit": 1.5}', 'body.limit', 'type_error'],
    ['{"project_id": "a/b", "columns": "id"}', 'body.columns', 'type_error'],
    ['{"project_id": "ab"}', 'body.project_id', 'project_id'],
    ['{}', 'body.project_id', 'missing'],
    ['{', 'body', 'json_invalid'],
    ['[]', 'body', 'object_type'],
  ])('%s', async (body, loc, type) => {
    expect(await refusal(body)).toEqual({ status: 422, loc, type });
  });

  it.each([
    [{ $regex: [x, one] }, '$regex', 'unknown_operator'],
    [{ constructor: [x, one] }, 'constructor', 'unknown_operator'],
    [{}, '', 'operator'],
    ['x', '', 'operator'],
    [{ $eq: [x, one], $gt: [x, one] }, '', 'operator'],
    [{ $eq: [x] }, '$eq', 'list_type'],
    [{ $eq: [x, one, one] }, '$eq', 'list_type'],
    [{ $eq: { a: x, b: one } }, '$eq', 'list_type'],
    [{ $eq: [x, 1] }, '$eq.1', 'operator'],
    [{ $eq: [x, literal({ a: 1 })] }, '$eq.1.$literal', 'literal_type'],
    [{ $eq: [field('nothing'), one] }, '$eq.0.$getField', 'unknown_field'],
    [{ $eq: [{ $getField: 1 }, one] }, '$eq.0.$getField', 'string_type'],
    [{ $and: [eq('id', 'a'), { $or: [field('id')] }] }, '$and.1.$or.0', 'not_a_condition'],
    [{ $not: eq('id', 'a') }, '$not', 'list_type'],
    [{ $in: [x, one] }, '$in.1', 'list_type'],
    [{ $contains: { input: x } }, '$contains.substr', 'missing'],
    [{ $eq: [{ $convert: { input: x, to: 'date' } }, one] }, '$eq.0.$convert.to', 'enum_error'],
    [{ $gt: [field('started_at'), literal('yesterday')] }, '$gt.1.$literal', 'datetime'],
    [{ $gt: [field('started_at'), literal(1e300)] }, '$gt.1.$literal', 'datetime'],
  ])('%j', async ($expr, place, type) => {
    const loc = ['body.query.$expr', place].filter(Boolean).join('.');
    expect(await refusal({ query: { $expr } })).toEqual({ status: 422, loc, type });
  });

  it.each([
    [{ filter: { op_name: ['a'] } }, 'body.filter.op_name', 'unknown_filter'],
    [{ filter: { op_names: 'a' } }, 'body.filter.op_names', 'type_error'],
    [{ filter: { call_ids: [1] } }, 'body.filter.call_ids.0', 'type_error'],
    [{ filter: [] }, 'body.filter', 'object_type'],
    [{ sort_by: [{ field: 'nothing', direction: 'asc' }] }, 'body.sort_by.0.field', 'unknown_field'],
    [{ sort_by: [{ field: 'id', direction: 'up' }] }, 'body.sort_by.0.direction', 'enum_error'],
    [{ sort_by: [{ direction: 'asc' }] }, 'body.sort_by.0.field', 'missing'],
    [{ sort_by: 'id' }, 'body.sort_by', 'list_type'],
  ])('%j', async (request, loc, type) => {
    expect(await refusal(request)).toEqual({ status: 422, loc, type });
  });

  describe('for its size', () => {
    const nested = (levels: number): object =>
      levels === 1 ? eq('id', 'a') : { $not: [{ $not: [nested(levels - 1)] }] };

    it('may have 32 levels', async () => {
      expect(await calls.where(nested(16))).toBe('a');
      expect(await refusal({ query: { $expr: nested(17) } })).toMatchObject({ status: 422, type: 'query_too_deep' });
      const deep = `${'{"$not":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
      const body = `{"project_id":"${calls.projectId}","query":{"$expr":${deep}}}`;
      expect(await refusal(body)).toMatchObject({ status: 422 });
    });

    it('may have 1,000 operators, fields and literals', async () => {
      const some = (count: number): object => ({ $or: Array.from({ length: count }, (_, i) => eq('id', i)) });
      expect(await calls.where(some(333))).toBe('');
      expect(await refusal({ query: { $expr: some(334) } })).toMatchObject({ status: 422, type: 'query_too_large' });
    });

    it('may name 50 places in payloads', async () => {
      const places = (count: number): object => ({
        $or: Array.from({ length: count }, (_, i) => eq(`inputs.p${i}`, 1)),
      });
      expect(await calls.where(places(50))).toBe('');
      expect(await refusal({ query: { $expr: places(51) } })).toMatchObject({ status: 422, type: 'query_too_large' });
    });

    it('may list 10,000 values', async () => {
      const ids = Array.from({ length: 10_000 }, (_, i) => `call-${i}`);
      expect(await calls.ids({ filter: { call_ids: [...ids.slice(1), 'a'] } })).toBe('a');
      expect(await calls.where({ $in: [field('id'), literal([...ids.slice(1), 'a'])] })).toBe('a');
      expect(await refusal({ filter: { call_ids: [...ids, 'a'] } })).toMatchObject({ status: 422 });
      expect(await refusal({ query: { $expr: { $in: [x, literal([...ids, 'a'])] } } })).toMatchObject({ status: 422 });
      expect(await refusal({ filter: { call_ids: ['a'.repeat(2 ** 21)] } })).toMatchObject({ status: 413 });
    });

    it('does not grow with every conversion of a conversion', async () => {
      const converted = (levels: number): object =>
        levels === 0 ? x : { $convert: { input: converted(levels - 1), to: levels % 2 ? 'bool' : 'string' } };
      expect(await calls.where({ $eq: [converted(29), literal(true)] })).toBe('a');
    });
  });

  describe('because it tries to be SQL', () => {
    it.each(HOSTILE)('%j is a value as any other', async (text) => {
      const other = new QueryClient(calls.api, calls.user, `odd-${HOSTILE.indexOf(text)}`);
      await other.given({ id: text, op_name: `${text}:v1`, thread_id: text, inputs: { [text]: text } }, { id: 'b' });
      const path = `inputs.${text.replaceAll('.', '\\.')}`;
      expect(await other.where(eq(path, text))).toBe(text);
      expect(await other.where({ $in: [field('id'), [literal(text)]] })).toBe(text);
      expect(await other.where({ $contains: { input: field(path), substr: literal(text) } })).toBe(text);
      expect(await other.where({ $contains: { input: field('op_name'), substr: literal(text) } })).toBe(text);
      expect(await other.ids({ filter: { op_names: [`${text}:*`], thread_ids: [text] } })).toBe(text);
      expect(await other.ids({ sort_by: [{ field: path, direction: 'asc' }], columns: [text, path] })).toBe(
        `${text} b`,
      );
    });

    it.each(HOSTILE)('%j names no field, operator, conversion, direction or filter', async (text) => {
      const requests = [
        { query: { $expr: eq(text, 1) } },
        { query: { $expr: { [text]: [x, one] } } },
        { query: { $expr: eq(`summary.weave.status.${text}`, 'x') }, sort_by: [{ field: text, direction: 'asc' }] },
        { query: { $expr: { $eq: [{ $convert: { input: x, to: text } }, one] } } },
        { sort_by: [{ field: 'id', direction: text }] },
        { filter: { [text]: ['a'] } },
        { limit: text },
      ];
      for (const request of requests) expect(await refusal(request)).toMatchObject({ status: 422 });
    });
  });
});

describe('Who may query', () => {
  it('are members of the team: to others it does not exist', async () => {
    const calls = await startQueries();
    await calls.given({ id: 'secret' });
    const eve = new QueryClient(calls.api, await calls.api.given.member());
    for (const path of ['/calls/stream_query', '/calls/query_stats']) {
      const theirs = await calls.post(path, {}, { headers: eve.user.basic });
      const missing = await eve.post(path, { project_id: 'no-such-team/traces' });
      const nobody = await calls.post(path, {}, { headers: {} });
      expect([theirs.status, missing.status, nobody.status]).toEqual([404, 404, 401]);
    }
    expect(await eve.ids()).toBe('');
    expect(await eve.count()).toBe(0);
    await calls.api.close();
  });

  it('is told of a malformed query before the project exists', async () => {
    const calls = await startQueries();
    const response = await calls.post('/calls/query_stats', { filter: { nothing: [] } });
    expect(response.status).toBe(422);
    await calls.api.close();
  });
});
