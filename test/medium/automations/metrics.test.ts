import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

type Json = Record<string, unknown>;

const HOUR = 3600;

describe('metric events', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let counter = 0;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    receiver = await t.receiver();
  });
  afterAll(() => t.close());

  async function startRun(fields: Json = {}): Promise<string> {
    const name = `run-${++counter}`;
    await t.ask('POST', `/v1/projects/${t.project}/runs`, { name, ...fields });
    return name;
  }

  function log(run: string, ...values: number[]): Promise<void> {
    return logPoints(
      run,
      values.map((reward) => ({ metrics: { reward } })),
    );
  }

  async function logPoints(run: string, points: { step?: number; metrics: Json }[]): Promise<void> {
    const { status } = await t.ask('POST', `/v1/projects/${t.project}/runs/${run}/history`, { points });
    expect(status).toBe(200);
  }

  async function count(automation: GivenAutomation): Promise<number> {
    return (await t.executions(automation)).length;
  }

  /** `${metric_value}` of each time that it fired. */
  async function fired({ id }: GivenAutomation): Promise<unknown[]> {
    const { rows } = await t.database.pool.query<{ variables: string }>(
      'SELECT variables FROM automation_executions WHERE automation_id = $1',
      [id],
    );
    return rows.map(({ variables }) => (JSON.parse(variables) as Json)['metric_value']);
  }

  /** An automation on the metric `reward`, and a run. */
  async function watching(eventType: string, filter: Json): Promise<{ automation: GivenAutomation; run: string }> {
    await t.database.pool.query('DELETE FROM automations');
    await t.database.pool.query('UPDATE automation_scopes SET version = version + 1');
    const automation = await t.automation(receiver, { eventType, filter: { name: 'reward', ...filter } });
    return { automation, run: await startRun() };
  }

  it.each([
    ['>', 0.9, [0.9], [0.91]],
    ['>=', 0.9, [0.89], [0.9]],
    ['<', 0.1, [0.1], [0.05]],
    ['<=', 0.1, [0.2], [0.1]],
    ['=', 5, [4, 6], [5]],
    ['!=', 5, [5], [4]],
  ])('RUN_METRIC %s %d looks at the newest value', async (cmp_op, threshold, below, reaching) => {
    const { automation, run } = await watching('RUN_METRIC', { cmp_op, threshold });
    await log(run, ...below);
    expect(await count(automation)).toBe(0);
    await log(run, ...reaching);
    expect(await count(automation)).toBe(1);
  });

  it.each([
    ['AVERAGE', [1, 2, 6], [9]],
    ['MIN', [9, 9, 1], [9, 9, 9]],
    ['MAX', [1, 1, 1], [9]],
  ])('RUN_METRIC judges the %s of a full window', async (agg_op, below, reaching) => {
    const { automation, run } = await watching('RUN_METRIC', { agg_op, window_size: 3, cmp_op: '>', threshold: 5 });
    await log(run, ...below.slice(0, 2));
    await log(run, ...below.slice(2));
    expect(await count(automation)).toBe(0);
    await log(run, ...reaching);
    expect(await count(automation)).toBe(1);
  });

  it.each([
    ['ABSOLUTE', 'INCREASE', 2, [1, 1, 2, 2], [4, 4]],
    ['ABSOLUTE', 'DECREASE', 2, [4, 4, 6, 6], [3, 3]],
    ['RELATIVE', 'ANY', 0.5, [4, 4, 5, 5], [2, 2]],
    ['RELATIVE', 'INCREASE', 0.5, [4, 4, 2, 2], [3, 3]],
  ])(
    'RUN_METRIC_CHANGE compares two windows: %s %s of %d',
    async (change_type, change_dir, change_amount, small, large) => {
      const windows = { agg_op: 'AVERAGE', window_size: 2, prior_window_size: 2 };
      const { automation, run } = await watching('RUN_METRIC_CHANGE', {
        ...windows,
        change_type,
        change_dir,
        change_amount,
      });
      await log(run, ...small);
      expect(await count(automation)).toBe(0);
      await log(run, ...large);
      expect(await count(automation)).toBe(1);
    },
  );

  it('RUN_METRIC_ZSCORE finds a value that lies far from those before', async () => {
    const { automation, run } = await watching('RUN_METRIC_ZSCORE', { window_size: 10, change_dir: 'INCREASE' });
    await log(run, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2.9);
    expect(await count(automation)).toBe(0);
    await log(run, -9);
    expect(await count(automation)).toBe(0);
    await log(run, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
    await log(run, 3.1);
    expect(await count(automation)).toBe(1);
  });

  describe('in the middle of a batch', () => {
    const MAX_OF_3 = { agg_op: 'MAX', window_size: 3, cmp_op: '>', threshold: 5 };
    /** 1,000 points that are all alike but for some. */
    const batch = (usual: number, unusual: Record<number, number>): number[] =>
      Array.from({ length: 1000 }, (_, n) => unusual[n] ?? usual);

    it('finds the first point that reaches the threshold, though the level falls again', async () => {
      const { automation, run } = await watching('RUN_METRIC', { cmp_op: '>', threshold: 0.9 });
      await log(run, ...batch(0.5, { 400: 0.95, 401: 0.99, 700: 0.97 }));
      expect(await fired(automation)).toEqual([0.95]);
    });

    it('finds nothing where no point reaches it', async () => {
      const { automation, run } = await watching('RUN_METRIC', { cmp_op: '>', threshold: 0.9 });
      await log(run, ...batch(0.5, { 400: 0.9 }));
      expect(await fired(automation)).toEqual([]);
    });

    it('judges windows that hold both what was there and what came', async () => {
      const average = { agg_op: 'AVERAGE', window_size: 4, cmp_op: '>=', threshold: 3 };
      const { automation, run } = await watching('RUN_METRIC', average);
      await log(run, ...batch(0, { 998: 6, 999: 3 }));
      await log(run, 0, 3, ...batch(0, {}));
      expect(await fired(automation)).toEqual([3]);
    });

    it.each([
      ['both within the batch', [4, 5, ...batch(4, { 499: 10, 500: 9 })], 9.5],
      ['the prior one in what was there', [4, 7, ...batch(4, { 499: 10, 500: 9 })], 5.5],
    ])('compares a window with the one before it at each point: %s', async (_, values, expected) => {
      const windows = { agg_op: 'AVERAGE', window_size: 2, prior_window_size: 3 };
      const change = { change_type: 'ABSOLUTE', change_dir: 'INCREASE', change_amount: 4 };
      const { automation, run } = await watching('RUN_METRIC_CHANGE', { ...windows, ...change });
      await log(run, 1, 1, 1);
      await log(run, ...values);
      expect(await fired(automation)).toEqual([expected]);
    });

    it('compares each point with those before it', async () => {
      const { automation, run } = await watching('RUN_METRIC_ZSCORE', { window_size: 10, change_dir: 'INCREASE' });
      const calm = Array.from({ length: 500 }, (_, n) => 1 + (n % 2));
      await log(run, ...calm.slice(0, 6));
      await log(run, 9, ...calm.slice(0, 3));
      expect(await fired(automation)).toEqual([]);
      await log(run, ...calm, 3.5, ...calm, 3.7);
      expect(await fired(automation)).toEqual([3.5]);
    });

    it('judges automations with windows of their own, and several metrics, in one request', async () => {
      const { automation, run } = await watching('RUN_METRIC', MAX_OF_3);
      const newest = { name: 'loss', cmp_op: '<', threshold: 0.1 };
      const onLoss = await t.automation(receiver, { eventType: 'RUN_METRIC', filter: newest });
      const lowest = { name: 'reward', agg_op: 'MIN', window_size: 200, cmp_op: '>', threshold: 1 };
      const onLowest = await t.automation(receiver, { eventType: 'RUN_METRIC', filter: lowest });
      const points = batch(2, { 0: 1, 100: 1, 500: 9 }).map((reward, n) => ({
        metrics: { reward, loss: n === 300 ? 0 : 1, other: n },
      }));
      await logPoints(run, points);
      expect(await Promise.all([automation, onLoss, onLowest].map(fired))).toEqual([[9], [0], [2]]);
    });

    it.each([
      ['before all others', [0, 1, 2]],
      ['between others', [14, 16, 18]],
      ['over others', [12, 13, 15]],
    ])('judges points in the order of steps where they come late: %s', async (_, steps) => {
      const { automation, run } = await watching('RUN_METRIC', MAX_OF_3);
      const at = (step: number, reward: number) => ({ step, metrics: { reward } });
      await logPoints(
        run,
        [10, 11, 12, 13, 15, 17, 19, 20, 21, 22].map((step) => at(step, 1)),
      );
      await logPoints(run, [at(steps[2]!, 8), at(steps[1]!, 7), at(steps[0]!, 2)]);
      // The window that ends with the second point, or the one that has the third for its newest.
      expect(await fired(automation)).toEqual([steps[0] === 0 ? 8 : 7]);
    });

    it('judges what follows a value that is written anew, as far as it reaches', async () => {
      const jump = { change_type: 'ABSOLUTE', change_dir: 'DECREASE', change_amount: 5 };
      const { automation, run } = await watching('RUN_METRIC_CHANGE', jump);
      await log(run, 1, 1, 1, 1);
      await logPoints(run, [{ step: 1, metrics: { reward: 9 } }]);
      expect(await fired(automation)).toEqual([1]);
    });

    it('tells the same in a dry run of what was logged', async () => {
      const { automation, run } = await watching('RUN_METRIC', { cmp_op: '>', threshold: 0.9 });
      await log(run, ...batch(0.5, { 400: 0.95 }));
      await log(run, 0.5);
      const [{ event_id }] = (await t.executions(automation)) as [Json];
      const evaluation = await t.ask('POST', `${automation.path}/evaluate`, { event_id });
      const checks = expect.arrayContaining([
        expect.objectContaining({ field: 'metric reward', actual: '0.95 > 0.9', passed: true }),
      ]);
      expect(evaluation.body).toMatchObject({ matched: true, checks });
    });

    it('fires once for two batches at once, with the value of one of them', async () => {
      const { automation, run } = await watching('RUN_METRIC', MAX_OF_3);
      await Promise.all([log(run, ...batch(1, { 300: 6 })), log(run, ...batch(1, { 600: 7 }))]);
      const values = await fired(automation);
      expect(values).toHaveLength(1);
      expect([6, 7]).toContain(values[0]);
    });
  });

  it('judges each run alone', async () => {
    const { automation, run } = await watching('RUN_METRIC', {
      agg_op: 'MAX',
      window_size: 2,
      cmp_op: '>',
      threshold: 5,
    });
    await log(run, 9);
    await log(await startRun(), 9);
    expect(await count(automation)).toBe(0);
  });

  it('looks at its own metric, and at runs that the filters let through', async () => {
    const { automation, run } = await watching('RUN_METRIC', {
      cmp_op: '>',
      threshold: 0,
      run_name_regex: '^warp',
      user: t.admin.username,
    });
    await log(run, 1);
    const weaver = await t.given.user({ teams: [t.team] });
    await t.as(weaver)('POST', `/v1/projects/${t.project}/runs`, { name: 'warp-others' });
    await log('warp-others', 1);
    const warp = await startRun({ display_name: 'warp speed' });
    await t.ask('POST', `/v1/projects/${t.project}/runs/${warp}/history`, { points: [{ metrics: { loss: 1 } }] });
    expect(await count(automation)).toBe(0);
    await log(warp, 1);
    expect(await count(automation)).toBe(1);
  });

  it('fires once for a run in 24 hours, however long the level holds', async () => {
    const { automation, run } = await watching('RUN_METRIC', { cmp_op: '>', threshold: 0.5 });
    await log(run, 0.9);
    await log(run, 0.9);
    await t.restart();
    t.clock.forward(24 * HOUR - 1);
    await log(run, 0.9);
    expect(await count(automation)).toBe(1);
    t.clock.forward(1);
    await log(run, 0.9);
    expect(await count(automation)).toBe(2);
    await log(await startRun(), 0.9);
    expect(await count(automation)).toBe(3);
  });

  it('fires once when several requests reach the threshold at the same time', async () => {
    const { automation, run } = await watching('RUN_METRIC', { cmp_op: '>', threshold: 0.5 });
    await Promise.all(Array.from({ length: 8 }, () => log(run, 0.9)));
    expect(await count(automation)).toBe(1);
  });

  it('renders what was measured', async () => {
    const payload =
      '{"run": "${run_name}", "metric": "${metric_name}", "value": ${metric_value}, "limit": ${threshold}}';
    await watching('RUN_STATE', { name: undefined, states: ['FAILED'] });
    const filter = { name: 'reward', agg_op: 'AVERAGE', window_size: 2, cmp_op: '>=', threshold: 0.5 };
    await t.automation(receiver, { eventType: 'RUN_METRIC', payload, filter });
    await log(await startRun({ display_name: 'warp "speed"' }), 0.25, 0.75);
    await t.deliver();
    expect(JSON.parse(String(receiver.last.body))).toEqual({
      run: 'warp "speed"',
      metric: 'reward',
      value: 0.5,
      limit: 0.5,
    });
  });
});
