import { eq, field, literal, QueryClient, startQueries } from './query-client.js';

describe('The fields of a call query', () => {
  let calls: QueryClient;

  beforeAll(async () => {
    calls = await startQueries();
    const [started_at, ended_at] = ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:01.999Z'];
    const op_name = 'weave:///team/project/op/predict:abc';
    await calls.given(
      { id: 'run', started_at, trace_id: 'trace', op_name, attributes: { env: 'test' }, wb_run_step: 7 },
      { id: 'ok', started_at, ended_at, output: { score: 0.5 }, display_name: 'shown', thread_id: 'th' },
      { id: 'failed', started_at, ended_at, exception: 'ValueError: no' },
      { id: 'partly', started_at, ended_at: '2026-01-31T11:59:59Z', summary: { status_counts: { error: 2 } } },
    );
  });
  afterAll(() => calls.api.close());

  it.each([
    ['id', 'run', 'run'],
    ['trace_id', 'trace', 'run'],
    ['op_name', 'op', 'failed ok partly'],
    ['display_name', 'shown', 'ok'],
    ['exception', 'ValueError: no', 'failed'],
    ['thread_id', 'th', 'ok'],
    ['parent_id', null, 'failed ok partly run'],
    ['wb_run_step', 7, 'run'],
    ['started_at', '2026-01-31T13:00:00.123456+01:00', 'failed ok partly run'],
    ['started_at', 1769860800.123456, 'failed ok partly run'],
    ['ended_at', '2026-01-31T12:00:01.999', 'failed ok'],
    ['ended_at', null, 'run'],
    ['attributes.env', 'test', 'run'],
    ['output.score', 0.5, 'ok'],
    ['summary.status_counts.error', 2, 'partly'],
    ['summary.weave.status', 'running', 'run'],
    ['summary.weave.status', 'success', 'ok'],
    ['summary.weave.status', 'error', 'failed'],
    ['summary.weave.status', 'descendant_error', 'partly'],
    ['summary.weave.latency_ms', 1875, 'failed ok'],
    ['summary.weave.latency_ms', null, 'run'],
    ['summary.weave.trace_name', 'predict', 'run'],
    ['summary.weave.trace_name', 'shown', 'ok'],
    ['summary.weave.trace_name', 'op', 'failed partly'],
  ])('%s is %j', async (name, value, found) => {
    expect(await calls.where(eq(name, value))).toBe(found);
  });

  it('finds each call by what it is answered with', async () => {
    for (const { id, summary } of await calls.find()) {
      for (const [name, value] of Object.entries(summary.weave)) {
        expect((await calls.where(eq(`summary.weave.${name}`, value))).split(' ')).toContain(id);
      }
    }
  });

  it('compares times before and after, and among themselves', async () => {
    expect(await calls.where({ $gt: [field('ended_at'), literal('2026-01-31T12:00:00Z')] })).toBe('failed ok');
    expect(await calls.where({ $lt: [field('ended_at'), field('started_at')] })).toBe('partly');
    expect(await calls.where({ $in: [field('ended_at'), [literal('2026-01-31T11:59:59Z')]] })).toBe('partly');
  });

  describe('in payloads that PostgreSQL can not read', () => {
    let poison: QueryClient;

    beforeAll(async () => {
      poison = new QueryClient(calls.api, calls.user, 'poison');
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
      const start = (id: string, inputs: string): string =>
        `{"mode":"start","req":{"start":{"project_id":"${poison.projectId}","id":"${id}","trace_id":"t","op_name":"o",` +
        `"started_at":"2026-01-31T12:00:00Z","attributes":{},"inputs":${inputs}}}}`;
      const items = [
        start('deep', `{"a":"x","deep":${deep}}`),
        start('huge', '{"a":"x","n":1e999999}'),
        start('lone', '{"a":"x","s":"\\ud83d"}'),
        start('nul', '{"a":"x","s":"\\u0000","k\\u0000":1}'),
        start('twice', '{"a":"y","a":"x"}'),
        start('scalar', '"x"'),
        start('unset', 'null'),
      ];
      await poison.upsert(`{"batch":[${items.join(',')}]}`);
    });

    it('finds what lies beside', async () => {
      expect(await poison.where(eq('inputs.a', 'x'))).toBe('deep huge lone nul twice');
      expect(await poison.where({ $not: [eq('inputs.a', 'x')] })).toBe('scalar unset');
      expect(await poison.where(eq('inputs', 'x'))).toBe('scalar');
    });

    it('finds them by the odd characters', async () => {
      expect(await poison.where(eq('inputs.s', '\u0000'))).toBe('lone nul');
      expect(await poison.where(eq('inputs.k\u0000', 1))).toBe('nul');
    });

    it('sorts and converts them, and fails for none', async () => {
      const sort_by = ['inputs.n', 'inputs.deep', 'inputs', 'inputs.s'].map((name) => ({
        field: name,
        direction: 'desc',
      }));
      expect(await poison.find({ sort_by })).toHaveLength(7);
      for (const to of ['double', 'int', 'string', 'bool', 'exists']) {
        for (const name of ['inputs.n', 'inputs.deep', 'inputs', 'inputs.s']) {
          await poison.where({ $gte: [{ $convert: { input: field(name), to } }, literal(0)] });
        }
      }
    });
  });
});
