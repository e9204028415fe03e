import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../webhooks/receiver.js';
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

  async function log(run: string, ...values: number[]): Promise<void> {
    const points = values.map((reward) => ({ metrics: { reward } }));
    const { status } = await t.ask('POST', `/v1/projects/${t.project}/runs/${run}/history`, { points });
    expect(status).toBe(200);
  }

  async function count(automation: GivenAutomation): Promise<number> {
    return (await t.executions(automation)).length;
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
