import { convert, eq, field, literal, type QueryClient, startQueries } from './query-client.js';

describe('The query language', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    await calls.given(
      { id: 'int', inputs: { x: 5, s: 'Alpha' } },
      { id: 'float', inputs: { x: 5.5, s: 'beta' }, display_name: 'Ünïcode 100%' },
      { id: 'text', inputs: { x: '5', s: 'al_pha' } },
      { id: 'bool', inputs: { x: true, s: '' } },
      { id: 'null', inputs: { x: null, s: null } },
      { id: 'none', inputs: {} },
      { id: 'list', inputs: { x: [1, { y: 'deep' }], 'dotted.key': 'yes' } },
    );
  });
  afterAll(() => calls.api.close());

  const compare = (operator: string, value: unknown): Promise<string> =>
    calls.where({ [operator]: [field('inputs.x'), literal(value)] });

  describe('$eq', () => {
    it.each([
      ['a number, as numbers', 5, 'int text'],
      ['a number in any notation', 0.5e1, 'int text'],
      ['a string, as strings', '5', 'int text'],
      ['a boolean', true, 'bool'],
      ['the name of a boolean', 'true', 'bool'],
      ['null, which a missing value equals, too', null, 'null none'],
    ])('compares with %s', async (_what, value, found) => {
      expect(await compare('$eq', value)).toBe(found);
    });

    it('takes a missing value, null and "" for the same text, so that SDKs can ask for what exists', async () => {
      expect(await calls.where(eq('inputs.s', ''))).toBe('bool null none list');
      expect(await calls.where({ $not: [eq('inputs.s', '')] })).toBe('int float text');
    });

    it('compares two fields', async () => {
      expect(await calls.where({ $eq: [field('inputs.x'), field('inputs.x')] })).toBe('int float text bool null none');
    });

    it('keeps every digit of large numbers', async () => {
      const other = await startProject('digits');
      const start = (id: string, n: string): string =>
        `{"mode":"start","req":{"start":{"project_id":"${other.projectId}","id":"${id}","trace_id":"t","op_name":"o",` +
        `"started_at":"2026-01-31T12:00:00Z","attributes":{},"inputs":{"n":${n}}}}}`;
      await other.upsert(`{"batch":[${start('a', '9007199254740993')},${start('b', '9007199254740992')}]}`);
      const expression = '{"$expr":{"$eq":[{"$getField":"inputs.n"},{"$literal":9007199254740993}]}}';
      const response = await other.post(
        '/calls/query_stats',
        `{"project_id":"${other.projectId}","query":${expression}}`,
      );
      expect(await response.json()).toMatchObject({ count: 1 });
    });
  });

  it.each([
    ['$gt', 5, 'float'],
    ['$gte', 5, 'int float text'],
    ['$lt', 5.5, 'int text'],
    ['$lte', 5.5, 'int float text'],
    ['$gt', '4', 'int float text bool'],
    ['$gte', false, 'bool'],
    ['$gt', null, ''],
  ])('%s %j compares with values as those of its type', async (operator, value, found) => {
    expect(await compare(operator, value)).toBe(found);
  });

  it('orders strings by code point', async () => {
    expect(await calls.where({ $gt: [field('inputs.s'), literal('Z')] })).toBe('float text');
  });

  it.each([
    ['numbers', [5, 5.5], 'int float text'],
    ['strings', ['5', 'true'], 'int text bool'],
    ['mixed types', ['5', 5, true], 'int text bool'],
    ['null', [null], 'null none'],
    ['nothing', [], ''],
  ])('$in finds %s', async (_what, values, found) => {
    const expected = await calls.where({ $in: [field('inputs.x'), values.map(literal)] });
    expect(expected).toBe(found);
    expect(await calls.where({ $in: [field('inputs.x'), literal(values)] })).toBe(found);
  });

  it('$in also takes fields', async () => {
    expect(await calls.where({ $in: [literal('5'), [field('inputs.x'), field('inputs.s')]] })).toBe('int text');
  });

  describe('$contains', () => {
    const containing = (name: string, substring: unknown, case_insensitive?: boolean): Promise<string> =>
      calls.where({ $contains: { input: field(name), substr: literal(substring), case_insensitive } });

    it('finds text, by case or not', async () => {
      expect(await containing('inputs.s', 'pha')).toBe('int text');
      expect(await containing('inputs.s', 'AL')).toBe('');
      expect(await containing('inputs.s', 'AL', true)).toBe('int text');
      expect(await containing('display_name', 'üNÏ', true)).toBe('float');
    });

    it('knows no wildcards', async () => {
      expect(await containing('inputs.s', 'l_p')).toBe('text');
      expect(await containing('inputs.s', '%')).toBe('');
      expect(await containing('display_name', '0%')).toBe('float');
    });

    it('finds nothing in everything', async () => {
      expect(await containing('inputs.s', '')).toBe('int float text bool null none list');
    });

    it('looks at numbers, lists and whole payloads as their text', async () => {
      expect(await containing('inputs.x', 5)).toBe('int float text');
      expect(await containing('inputs.x', 'deep')).toBe('list');
      expect(await containing('inputs', 'Alpha')).toBe('int');
    });
  });

  it('combines conditions, and takes what is unknown for false', async () => {
    const large = { $gt: [field('inputs.x'), literal(5)] };
    expect(await calls.where({ $and: [eq('inputs.s', 'beta'), large] })).toBe('float');
    expect(await calls.where({ $or: [eq('inputs.s', 'Alpha'), large] })).toBe('int float');
    expect(await calls.where({ $not: [large] })).toBe('int text');
    expect(await calls.where({ $not: [{ $not: [large] }] })).toBe('float');
    expect(await calls.where({ $not: [eq('inputs.s', 'beta')] })).toBe('int text bool null none list');
    expect(await calls.where({ $and: [] })).toBe('int float text bool null none list');
    expect(await calls.where({ $or: [] })).toBe('');
    expect(await calls.where({ $eq: [large, literal(true)] })).toBe('float');
    expect(await calls.where({ $eq: [large, literal(false)] })).toBe('int text bool null none list');
  });

  it('takes a boolean field for a condition', async () => {
    expect(await calls.where(field('inputs.x'))).toBe('bool');
    expect(await calls.where(literal(true))).toBe('int float text bool null none list');
  });

  it.each([
    ['double', 5, 'int text'],
    ['int', 5, 'int float text'],
    ['string', '5', 'int text'],
    ['bool', true, 'int float text bool'],
    ['exists', true, 'int float text bool list'],
    ['exists', false, 'null none'],
  ])('$convert to %s', async (to, value, found) => {
    expect(await calls.where({ $eq: [convert(field('inputs.x'), to), literal(value)] })).toBe(found);
  });

  it('$convert makes numbers of times, and text of anything', async () => {
    const epoch = convert(field('started_at'), 'double');
    expect(await calls.where({ $lte: [epoch, literal(Date.UTC(2026, 0, 31) / 1000 + 1)] })).toBe('int float');
    expect(
      await calls.where({ $eq: [convert(field('started_at'), 'string'), literal('2026-01-31T00:00:02.000000Z')] }),
    ).toBe('text');
    expect(await calls.where({ $eq: [convert(convert(literal('7'), 'int'), 'string'), literal('7')] })).toContain(
      'int',
    );
  });

  it.each([
    ['inputs.x', 2, 'list'],
    ['inputs.x.1', 1, 'list'],
    ['inputs.s', 5, 'int'],
    ['inputs', 2, 'int float text bool null list'],
    ['display_name', 12, 'float'],
    ['inputs.none', 0, ''],
  ])('$size of %s counts elements, members or characters', async (name, size, found) => {
    expect(await calls.where({ $eq: [{ $size: field(name) }, literal(size)] })).toBe(found);
  });

  it('reads paths through lists, and keys with dots', async () => {
    expect(await calls.where(eq('inputs.x.1.y', 'deep'))).toBe('list');
    expect(await calls.where(eq('inputs.x.-1.y', 'deep'))).toBe('list');
    expect(await calls.where(eq('inputs.dotted\\.key', 'yes'))).toBe('list');
    expect(await calls.where(eq('inputs.dotted.key', 'yes'))).toBe('');
  });

  it('takes any operand in any place', async () => {
    const names = [
      'id',
      'display_name',
      'started_at',
      'ended_at',
      'wb_run_step',
      'inputs',
      'inputs.x',
      'summary.weave.status',
    ];
    const literals = [null, true, 1.5, '2026-01-31'].map(literal);
    const operands = [...names, 'summary.weave.latency_ms', 'feedback.[a].payload.x'].map(field).concat(literals);
    const converted = operands.flatMap((input) =>
      ['double', 'int', 'string', 'bool', 'exists'].map((to) => convert(input, to)),
    );
    for (const left of [...operands, ...converted, eq('id', 'int')]) {
      for (const rights of [0, 4, 8, 12].map((from) => [...operands, eq('id', 'text')].slice(from, from + 4))) {
        const conditions = rights.flatMap((right) => [
          ...['$eq', '$gt', '$gte', '$lt', '$lte'].map((operator) => ({ [operator]: [left, right] })),
          { $in: [left, [right, ...literals]] },
          { $contains: { input: left, substr: right } },
        ]);
        const response = await calls.post('/calls/query_stats', { query: { $expr: { $or: conditions } } });
        expect([left, rights, await response.json()]).toMatchObject([
          left,
          rights,
          { count: expect.any(Number) as number },
        ]);
      }
    }
  });

  it('never finds values of different types equal', async () => {
    for (const [left, right] of [
      ['a', 1],
      [1, true],
      ['true', true],
      [null, 0],
    ]) {
      expect(await calls.where({ $eq: [literal(left), literal(right)] })).toBe('');
    }
  });

  const startProject = async (name: string): Promise<QueryClient> =>
    new (calls.constructor as typeof QueryClient)(calls.api, calls.user, name);
});
