import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

const received = (receiver: Receiver) =>
  eventually(
    () => receiver.requests.length,
    (count) => count === 1,
  );
const HEALTHY = { enabled: true, consecutive_failures: 0, failing_since: null };

describe('a fault of this side while sending', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let automation: GivenAutomation;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    receiver = await t.receiver();
    await t.ask('POST', `/v1/teams/${t.team.name}/secrets`, { name: 'SIGNING', value: 'a signing secret' });
    const webhookId = await t.webhook(receiver.port, { secret_ref: 'SIGNING' });
    automation = await t.automation(receiver, { webhookId });
  });
  afterAll(() => t.close());

  it('is no attempt where the database was away: it is sent once that is back', async () => {
    const { pool } = t.database;
    const blocker = await pool.connect();
    await blocker.query('BEGIN; LOCK TABLE secrets IN ACCESS EXCLUSIVE MODE');
    await t.publish(await t.aliasEvent());
    void t.pump.wake();
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const cut = async () => (await pool.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`)).rowCount;
    await eventually(cut, (count) => count === 1);
    await blocker.query('ROLLBACK');
    blocker.release();
    await received(receiver);
    await t.pump.settle();
    const [execution] = await t.executions(automation);
    expect(execution).toMatchObject({ state: 'FINISHED', attempts: 1 });
    expect(await t.webhookState(automation.webhookId)).toMatchObject(HEALTHY);
  });

  it('is written down where it is another one, and not counted against the webhook', async () => {
    const { pool } = t.database;
    await pool.query('ALTER TABLE secrets RENAME TO secrets_elsewhere');
    await t.publish(await t.aliasEvent());
    await t.deliver();
    await pool.query('ALTER TABLE secrets_elsewhere RENAME TO secrets');
    const execution = (await t.executions(automation)).at(-1)!;
    expect(execution).toMatchObject({ state: 'PENDING', attempts: 1 });
    expect(await t.attempts(execution['id'])).toMatchObject([{ status: null, error_code: 'internal_error' }]);
    expect(await t.webhookState(automation.webhookId)).toMatchObject(HEALTHY);
    t.clock.forward(5);
    await t.deliver();
    expect((await t.executions(automation)).at(-1)).toMatchObject({ state: 'FINISHED', attempts: 2 });
  });
});

describe('a webhook that is switched off while a request is in flight', () => {
  let t: AutomationsSystem;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
  });
  afterAll(() => t.close());

  /** Fires, and switches the webhook off before the receiver has answered with `status`. */
  async function interrupted(
    status: number,
    switchOff: (webhook: string) => Promise<unknown>,
  ): Promise<{ automation: GivenAutomation; receiver: Receiver; webhook: string }> {
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    const receiver = await t.receiver((response) => void mayAnswer.then(() => response.writeHead(status).end()));
    const automation = await t.automation(receiver);
    const webhook = `/v1/teams/${t.team.name}/webhooks/${automation.webhookId}`;
    await t.publish(await t.aliasEvent());
    await t.pump.wake();
    await received(receiver);
    await switchOff(webhook);
    await t.pump.wake();
    answer();
    await t.pump.settle();
    await t.ask('PATCH', automation.path, { enabled: false });
    return { automation, receiver, webhook };
  }

  it('is told of by the history, and what arrived is not recovered', async () => {
    const { automation, receiver, webhook } = await interrupted(204, (webhook) =>
      t.ask('PATCH', webhook, { enabled: false }),
    );
    const [execution] = await t.executions(automation);
    expect(execution).toMatchObject({ state: 'FINISHED', attempts: 1 });
    expect(await t.attempts(execution!['id'])).toMatchObject([{ number: 1, status: 204 }]);
    await t.ask('PATCH', webhook, { enabled: true });
    const since = { since: '2020-01-01T00:00:00Z' };
    const { body } = await t.ask('POST', `/v1/webhooks/${automation.webhookId}/recover`, since);
    await t.deliver();
    expect([body, receiver.requests.length]).toEqual([{ recovered: 0 }, 1]);
  });

  it.each([
    ['disabled', 'webhook_disabled', (webhook: string) => t.ask('PATCH', webhook, { enabled: false })],
    ['deleted', 'webhook_deleted', (webhook: string) => t.ask('DELETE', webhook)],
  ])('keeps the failed request of one that was %s, and sends no other', async (_, reason, switchOff) => {
    const { automation, receiver } = await interrupted(500, switchOff);
    const [execution] = await t.executions(automation);
    expect(execution).toMatchObject({ state: 'SKIPPED', reason, attempts: 1 });
    expect(await t.attempts(execution!['id'])).toMatchObject([{ number: 1, status: 500 }]);
    expect(receiver.requests).toHaveLength(1);
  });
});
