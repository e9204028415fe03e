import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

type Json = Record<string, unknown>;

describe('a metric that is not a number any more', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let counter = 0;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    receiver = await t.receiver();
  });
  afterAll(() => t.close());

  /** An automation on the metric `loss`, and a run. */
  async function watching(
    eventType: string,
    filter: Json = {},
    payload?: string,
  ): Promise<{ automation: GivenAutomation; run: string }> {
    await t.database.pool.query('DELETE FROM automations');
    await t.database.pool.query('UPDATE automation_scopes SET version = version + 1');
    const automation = await t.automation(receiver, { eventType, filter: { name: 'loss', ...filter }, payload });
    const run = `run-${++counter}`;
    await t.ask('POST', `/v1/projects/${t.project}/runs`, { name: run });
    return { automation, run };
  }

  /** In one request; the steps go on. */
  async function log(run: string, ...values: (number | string)[]): Promise<void> {
    const points = values.map((loss) => ({ metrics: { loss, other: 1 } }));
    const { status } = await t.ask('POST', `/v1/projects/${t.project}/runs/${run}/history`, { points });
    expect(status).toBe(200);
  }

  /** `${metric_value}` of each time that it fired. */
  async function fired({ id }: GivenAutomation): Promise<unknown[]> {
    const sql = 'SELECT variables FROM automation_executions WHERE automation_id = $1';
    const { rows } = await t.database.pool.query<{ variables: string }>(sql, [id]);
    return rows.map(({ variables }) => (JSON.parse(variables) as Json)['metric_value']);
  }

  describe('is watched by RUN_METRIC_NOT_FINITE, which', () => {
    it.each(['NaN', 'Infinity', '-Infinity'])('fires on %s, once for a run in 24 hours', async (word) => {
      const { automation, run } = await watching('RUN_METRIC_NOT_FINITE');
      await log(run, 1, 1.7e308);
      expect(await fired(automation)).toEqual([]);
      await log(run, 0.5, word, 0.5);
      await log(run, word);
      expect(await fired(automation)).toEqual([word]);
    });

    it('fires on what the wandb SDK streams', async () => {
      const { automation, run } = await watching('RUN_METRIC_NOT_FINITE');
      const lines = ['{"loss":0.5,"_step":0}', '{"loss":NaN,"_step":1}'];
      const answer = await fetch(`${t.url}/files/${t.project}/${run}/file_stream`, {
        method: 'POST',
        headers: t.admin.basic,
        body: JSON.stringify({ files: { 'wandb-history.jsonl': { offset: 0, content: lines } } }),
      });
      expect([answer.status, await fired(automation)]).toEqual([200, ['NaN']]);
    });

    it('looks at its own metric, and at runs that the filters let through', async () => {
      const { automation, run } = await watching('RUN_METRIC_NOT_FINITE', { run_name_regex: '^warp' });
      await log(run, 'NaN');
      await t.ask('POST', `/v1/projects/${t.project}/runs`, { name: 'warp' });
      const points = [{ metrics: { loss: 1, other: 'NaN' } }];
      await t.ask('POST', `/v1/projects/${t.project}/runs/warp/history`, { points });
      expect(await fired(automation)).toEqual([]);
      await log('warp', 'NaN');
      expect(await fired(automation)).toEqual(['NaN']);
    });

    it('says what it saw, in a payload that is JSON', async () => {
      const payload =
        '{"text": "${metric_filter} (${metric_filter_short}): ${metric_current_status}", "value": ${metric_value},' +
        ' "said": "${metric_value}", "values": ${metric_values}, "all": "${metric_values}", "limit": ${threshold}}';
      const { run } = await watching('RUN_METRIC_NOT_FINITE', {}, payload);
      await log(run, 2, '-Infinity');
      await t.deliver();
      expect(JSON.parse(String(receiver.last.body))).toEqual({
        text: 'loss is not finite (loss is not finite): -Infinity is not finite',
        value: '-Infinity',
        said: '-Infinity',
        values: ['-Infinity'],
        all: '["-Infinity"]',
        limit: null,
      });
    });

    it('is tried out with what was logged, and with samples', async () => {
      const { automation, run } = await watching('RUN_METRIC_NOT_FINITE', {}, '{"v": ${metric_value}}');
      await log(run, 1, 'NaN');
      const [execution] = await t.executions(automation);
      const evaluate = async (body: Json): Promise<Json> =>
        (await t.ask('POST', `${automation.path}/evaluate`, body)).body;
      const check = (actual: string, passed: boolean) => ({
        field: 'metric loss',
        expected: 'loss is not finite',
        actual,
        passed,
      });
      const event_id = (execution as Json)['event_id'];
      for (const body of [{ event_id }, { metric_values: [1, 'NaN'] }]) {
        expect(await evaluate(body)).toMatchObject({ matched: true, payload: '{"v": "NaN"}' });
        expect((await evaluate(body))['checks']).toContainEqual(check('NaN is not finite', true));
      }
      expect((await evaluate({ metric_values: ['NaN', 1] }))['checks']).toContainEqual(check('1 is finite', false));
      expect((await evaluate({}))['checks']).toContainEqual(check('no value', false));
      expect((await t.ask('POST', `${automation.path}/evaluate`, { metric_values: ['nan'] })).status).toBe(422);
    });

    it.each([
      ['a threshold', { threshold: 1 }, 'body.event.filter.threshold'],
      ['a window', { window_size: 2 }, 'body.event.filter.window_size'],
      ['no metric', { name: null }, 'body.event.filter.name'],
    ])('takes %s for a mistake', async (_, filter, place) => {
      const action = { team: t.team.name, webhook_id: await t.webhook(receiver.port) };
      const body = t.automationBody({ action }, 'RUN_METRIC_NOT_FINITE', { name: 'loss', ...filter });
      const { status, body: answer } = await t.ask('POST', '/v1/automations', body);
      const [{ loc }] = answer['detail'] as [{ loc: string[] }];
      expect([status, loc.join('.')]).toEqual([422, place]);
    });
  });

  describe('is nothing to conditions on numbers:', () => {
    const AVERAGE = { agg_op: 'AVERAGE', window_size: 3, cmp_op: '>=', threshold: 5 };

    it.each(['>', '>=', '<', '<=', '=', '!='])('RUN_METRIC %s does not fire on it', async (cmp_op) => {
      const { automation, run } = await watching('RUN_METRIC', { cmp_op, threshold: 0.5 });
      await log(run, 'NaN', 'Infinity', '-Infinity');
      expect(await fired(automation)).toEqual([]);
    });

    it.each([
      ['in one batch', [[4, 'NaN', 5, 'Infinity', 6, 'NaN']]],
      ['before the batch', [[4, 'NaN', '-Infinity'], [5, 'NaN'], [6]]],
      ['by itself in batches between', [[4, 5], ['NaN'], ['Infinity', 'NaN'], [6]]],
    ])('a window holds the values around it, %s', async (_, batches) => {
      const { automation, run } = await watching('RUN_METRIC', AVERAGE);
      for (const batch of batches) await log(run, ...batch);
      expect(await fired(automation)).toEqual([5]);
    });

    it('a change is one from the last value before it', async () => {
      const change = { change_type: 'ABSOLUTE', change_dir: 'INCREASE', change_amount: 3 };
      const { automation, run } = await watching('RUN_METRIC_CHANGE', change);
      await log(run, 1, 'NaN', 'Infinity', 3);
      expect(await fired(automation)).toEqual([]);
      await log(run, 'NaN', 6);
      expect(await fired(automation)).toEqual([6]);
    });

    it('a z-score is one of the other values', async () => {
      const { automation, run } = await watching('RUN_METRIC_ZSCORE', { window_size: 10 });
      await log(run, 1, 2, 1, 'NaN', 2, 1, 2, 'Infinity', 1, 2, 1, 2, 'NaN', 1.5);
      expect(await fired(automation)).toEqual([]);
      await log(run, 9);
      expect(await fired(automation)).toEqual([9]);
    });

    it('a window reaches over thousands of them, as of a metric that is NaN but where it is measured', async () => {
      const { automation, run } = await watching('RUN_METRIC', AVERAGE);
      const pause = Array<string>(3000).fill('NaN');
      await log(run, 4, ...pause, 5, ...pause);
      await log(run, ...pause);
      expect(await fired(automation)).toEqual([]);
      await log(run, 6);
      expect(await fired(automation)).toEqual([5]);
    });

    it('a window does not reach over more of them than can be read for each batch', async () => {
      const { automation, run } = await watching('RUN_METRIC', AVERAGE);
      await log(run, 4, 5);
      await t.database.pool.query(
        `INSERT INTO run_metrics (run_id, name, step, value, logged_at)
         SELECT id, 'loss', n, 'NaN', now() FROM runs, generate_series(2, 100001) AS n WHERE name = $1`,
        [run],
      );
      const at = async (step: number, loss: number) => {
        const points = [{ step, metrics: { loss } }];
        await t.ask('POST', `/v1/projects/${t.project}/runs/${run}/history`, { points });
      };
      await at(100_002, 6);
      await at(100_003, 6);
      expect(await fired(automation)).toEqual([]);
      await at(100_004, 6);
      expect(await fired(automation)).toEqual([6]);
    });

    it('one that takes the place of a value has nothing judged again', async () => {
      const { automation, run } = await watching('RUN_METRIC', { ...AVERAGE, window_size: 2 });
      await log(run, 9, 0, 9, 0);
      await t.ask('POST', `/v1/projects/${t.project}/runs/${run}/history`, {
        points: [{ step: 1, metrics: { loss: 'NaN' } }],
      });
      expect(await fired(automation)).toEqual([]);
    });
  });
});
