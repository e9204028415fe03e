import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

const HOUR = 3600;
const LONG_AGO = { since: '2020-01-01T00:00:00Z' };

describe('delivering now', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let automation: GivenAutomation;
  let answer: { status: number; headers?: Record<string, string> };
  beforeAll(async () => {
    t = await AutomationsSystem.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    answer = { status: 500 };
    receiver = await t.receiver((response) => response.writeHead(answer.status, answer.headers).end());
    automation = await t.automation(receiver);
    return () => t.ask('PATCH', automation.path, { enabled: false });
  });

  async function fire(): Promise<Record<string, unknown>> {
    await t.publish(await t.aliasEvent());
    await t.deliver();
    return (await t.executions(automation)).at(-1)!;
  }
  const redeliver = async (execution: Record<string, unknown>) =>
    t.ask('POST', `/v1/executions/${String(execution['id'])}/redeliver`);
  const recover = async () => t.ask('POST', `/v1/webhooks/${automation.webhookId}/recover`, LONG_AGO);
  const states = async () => (await t.executions(automation)).map(({ state }) => state);
  const webhook = (): string => `/v1/teams/${t.team.name}/webhooks/${automation.webhookId}`;

  it('sends a pending delivery at once, with a whole round of attempts before it', async () => {
    const execution = await fire();
    t.clock.forward(5);
    await t.deliver();
    expect(receiver.requests).toHaveLength(2);
    answer = { status: 204 };
    const asked = await redeliver(execution);
    expect([asked.status, asked.body]).toMatchObject([202, { state: 'PENDING', attempts: 2 }]);
    await t.deliver();
    expect(receiver.requests).toHaveLength(3);
    expect(await states()).toEqual(['FINISHED']);
  });

  it('says that what is due already is on its way', async () => {
    const execution = await fire();
    expect([(await redeliver(execution)).status, (await redeliver(execution)).status]).toEqual([202, 409]);
    await t.deliver();
  });

  it('recovers what is pending, together with what failed', async () => {
    await fire();
    await fire();
    answer = { status: 204 };
    expect((await recover()).body).toEqual({ recovered: 2 });
    await t.deliver();
    expect(await states()).toEqual(['FINISHED', 'FINISHED']);
    expect((await recover()).body).toEqual({ recovered: 0 });
  });

  it('ends a pause, and sends what was asked for before all else', async () => {
    for (let i = 0; i < 6; i++) await t.publish(await t.aliasEvent());
    await t.deliver();
    while ((await t.webhookState(automation.webhookId))['paused_until'] === null) {
      t.clock.forward(5);
      await t.deliver();
    }
    const last = (await t.executions(automation)).at(-1)!;
    const sent = receiver.requests.length;
    expect((await redeliver(last)).status).toBe(202);
    await t.deliver();
    // It failed, and so paused the webhook again: the others wait.
    expect(receiver.requests.slice(sent).map(({ headers }) => headers['webhook-id'])).toEqual([last['id']]);
  });

  it('lets Retry-After hold for the endpoint: nothing else is sent there before', async () => {
    answer = { status: 429, headers: { 'retry-after': String(2 * HOUR) } };
    await fire();
    const { paused_until: until } = await t.webhookState(automation.webhookId);
    expect(new Date(String(until)).getTime() - t.clock.now().getTime()).toBe(2 * HOUR * 1000);
    answer = { status: 204 };
    await fire();
    t.clock.forward(2 * HOUR - 1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(1);
    t.clock.forward(1);
    await t.deliver();
    expect(await states()).toEqual(['FINISHED', 'FINISHED']);
  });

  it('says no where the webhook is disabled or deleted', async () => {
    const execution = await fire();
    await t.ask('PATCH', webhook(), { enabled: false });
    await t.deliver();
    expect([await recover(), await redeliver(execution)]).toMatchObject([
      { status: 409, body: { code: 'webhook_disabled' } },
      { status: 409, body: { code: 'webhook_disabled' } },
    ]);
    await t.ask('DELETE', webhook());
    expect(await redeliver(execution)).toMatchObject({ status: 409, body: { code: 'webhook_deleted' } });
    t.clock.forward(5);
    await t.deliver();
    expect(await states()).toEqual(['SKIPPED']);
  });
});
