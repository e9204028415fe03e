import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';
import type { Receiver } from '../../support/receiver.js';

const MINUTE = 60;
const HOUR = 3600;

describe('the delivery policy', () => {
  let t: AutomationsSystem;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
  });
  afterAll(() => t.close());

  async function fired(receiver: Receiver): Promise<GivenAutomation> {
    const automation = await t.automation(receiver);
    await t.publish(await t.aliasEvent());
    await t.deliver();
    return automation;
  }

  async function only(automation: GivenAutomation): Promise<Record<string, unknown>> {
    const executions = await t.executions(automation);
    expect(executions).toHaveLength(1);
    await t.ask('PATCH', automation.path, { enabled: false });
    return executions[0]!;
  }

  it('sends at once, and is done with any 2xx', async () => {
    const receiver = await t.receiver();
    const execution = await only(await fired(receiver));
    expect(execution).toMatchObject({ state: 'FINISHED', reason: null, attempts: 1, next_attempt_at: null });
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.last.headers['webhook-id']).toBe(execution['id']);
    expect(await t.attempts(execution['id'])).toMatchObject([{ number: 1, status: 204, error_code: null }]);
  });

  it('tries 8 times, after 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then gives up', async () => {
    const receiver = await t.receiver((response) => response.writeHead(500).end('no'));
    const automation = await fired(receiver);
    const delays = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [index, delay] of delays.entries()) {
      t.clock.forward(delay - 1);
      await t.deliver();
      expect(receiver.requests).toHaveLength(index + 1);
      t.clock.forward(1);
      await t.deliver();
      expect(receiver.requests).toHaveLength(index + 2);
    }
    const execution = await only(automation);
    expect(execution).toMatchObject({ state: 'FAILED', reason: 'attempts_exhausted', attempts: 8 });
    t.clock.forward(100 * HOUR);
    await t.deliver();
    expect(receiver.requests).toHaveLength(8);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([execution['id']]));
  });

  it('keeps its place in the schedule across a restart', async () => {
    const receiver = await t.receiver((response) => response.writeHead(500).end());
    const automation = await fired(receiver);
    t.clock.forward(5);
    await t.deliver();
    await t.restart();
    t.clock.forward(5 * MINUTE - 1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(2);
    t.clock.forward(1);
    await t.deliver();
    expect((await only(automation))['attempts']).toBe(3);
  });

  it('waits as long as Retry-After asks, but no longer than 24 h', async () => {
    let asked = String(3 * HOUR);
    const receiver = await t.receiver((response) => response.writeHead(503, { 'retry-after': asked }).end());
    const automation = await fired(receiver);
    t.clock.forward(3 * HOUR - 1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(1);
    asked = String(1000 * HOUR);
    t.clock.forward(1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(2);
    t.clock.forward(24 * HOUR);
    await t.deliver();
    expect(receiver.requests).toHaveLength(3);
    expect((await only(automation))['state']).toBe('PENDING');
  });

  it.each([429, 503])('waits a minute at least after %i', async (status) => {
    const receiver = await t.receiver((response) => response.writeHead(status).end());
    const automation = await fired(receiver);
    t.clock.forward(59);
    await t.deliver();
    expect(receiver.requests).toHaveLength(1);
    t.clock.forward(1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(2);
    await only(automation);
  });

  it('takes a redirect for a failure, and never follows it', async () => {
    const elsewhere = await t.receiver();
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const receiver = await t.receiver((response) => response.writeHead(307, { location }).end());
    const execution = await only(await fired(receiver));
    expect(execution['state']).toBe('PENDING');
    expect(await t.attempts(execution['id'])).toMatchObject([{ status: 307, error_code: 'redirect' }]);
    expect(elsewhere.connections).toBe(0);
  });

  it('disables a webhook that is gone (410), and skips what comes after', async () => {
    const receiver = await t.receiver((response) => response.writeHead(410).end());
    const automation = await fired(receiver);
    expect(await t.webhookState(automation.webhookId)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    await t.publish(await t.aliasEvent());
    await t.deliver();
    const states = (await t.executions(automation)).map(({ state, reason }) => [state, reason]);
    expect(states).toEqual([
      ['FAILED', 'gone'],
      ['SKIPPED', 'webhook_disabled'],
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('skips what is for a disabled webhook, and recovers it once the webhook is enabled', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver);
    const webhook = `/v1/teams/${t.team.name}/webhooks/${automation.webhookId}`;
    await t.ask('PATCH', webhook, { enabled: false });
    const since = t.clock.now();
    await t.publish(await t.aliasEvent());
    await t.publish(await t.aliasEvent());
    await t.deliver();
    expect((await t.executions(automation)).map(({ reason }) => reason)).toEqual([
      'webhook_disabled',
      'webhook_disabled',
    ]);
    await t.ask('PATCH', webhook, { enabled: true });
    const longAgo = new Date(since.getTime() - 1000 * HOUR * 1000);
    const answer = await t.ask('POST', `/v1/webhooks/${automation.webhookId}/recover`, { since: longAgo });
    expect([answer.status, answer.body]).toEqual([202, { recovered: 2 }]);
    await t.deliver();
    expect((await t.executions(automation)).map(({ state }) => state)).toEqual(['FINISHED', 'FINISHED']);
    expect(receiver.requests).toHaveLength(2);
    await t.ask('PATCH', automation.path, { enabled: false });
  });

  it('skips what is for a deleted webhook, and redelivers it to the one that the automation has now', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver);
    await t.ask('DELETE', `/v1/teams/${t.team.name}/webhooks/${automation.webhookId}`);
    await t.publish(await t.aliasEvent());
    await t.deliver();
    const [skipped] = await t.executions(automation);
    expect(skipped).toMatchObject({ state: 'SKIPPED', reason: 'webhook_deleted', attempts: 0 });
    const successor = await t.webhook(receiver.port);
    expect((await t.ask('PATCH', automation.path, { action: { webhook_id: successor } })).status).toBe(200);
    expect((await t.ask('POST', `/v1/executions/${String(skipped!['id'])}/redeliver`)).status).toBe(202);
    await t.deliver();
    expect(await only(automation)).toMatchObject({ state: 'FINISHED', webhook_id: successor });
    expect(receiver.last.headers['webhook-id']).toBe(skipped!['id']);
  });

  it('sends nothing to an address that is not allowed, and does not try again', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver);
    const blocked = 'https://169.254.169.254/latest';
    await t.database.pool.query('UPDATE webhooks SET url_endpoint = $1 WHERE id = $2', [blocked, automation.webhookId]);
    await t.publish(await t.aliasEvent());
    await t.deliver();
    expect(await only(automation)).toMatchObject({ state: 'SKIPPED', reason: 'blocked_address' });
  });

  it('pauses a webhook after 5 failures in a row, probes it with one request, and goes on after a success', async () => {
    let status = 500;
    const receiver = await t.receiver((response) => response.writeHead(status).end());
    const automation = await t.automation(receiver);
    for (let i = 0; i < 8; i++) await t.publish(await t.aliasEvent());
    await t.deliver();
    // The first 10 may be in flight before the first has failed.
    const sent = receiver.requests.length;
    const { consecutive_failures: failures, paused_until: until } = await t.webhookState(automation.webhookId);
    expect(failures).toBeGreaterThanOrEqual(5);
    expect(new Date(String(until)).getTime() - t.clock.now().getTime()).toBeLessThanOrEqual(60_000);
    t.clock.forward(59);
    await t.deliver();
    expect(receiver.requests).toHaveLength(sent);
    t.clock.forward(1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(sent + 1);
    const { paused_until: doubled } = await t.webhookState(automation.webhookId);
    expect(new Date(String(doubled)).getTime() - t.clock.now().getTime()).toBe(120_000);
    status = 204;
    t.clock.forward(10 * HOUR);
    await t.deliver();
    expect((await t.executions(automation)).map(({ state }) => state)).toEqual(Array(8).fill('FINISHED'));
    expect(await t.webhookState(automation.webhookId)).toMatchObject({ consecutive_failures: 0, paused_until: null });
    await t.ask('PATCH', automation.path, { enabled: false });
  });

  it('disables a webhook that failed for 120 h, once an execution is exhausted', async () => {
    const receiver = await t.receiver((response) => response.writeHead(500).end());
    const automation = await fired(receiver);
    const exhaust = async (): Promise<void> => {
      for (const delay of [5, 300, 1800, 7200, 18_000, 36_000, 36_000]) {
        // As long as the longest pause, at least.
        t.clock.forward(Math.max(delay, HOUR));
        await t.deliver();
      }
    };
    await exhaust();
    expect(await t.webhookState(automation.webhookId)).toMatchObject({ enabled: true });
    t.clock.forward(100 * HOUR);
    await t.publish(await t.aliasEvent());
    await t.deliver();
    await exhaust();
    expect(await t.webhookState(automation.webhookId)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('uses the secrets that stand when it sends', async () => {
    const receiver = await t.receiver((response) => response.writeHead(500).end());
    await t.ask('POST', `/v1/teams/${t.team.name}/secrets`, { name: 'TOKEN', value: 'first-token' });
    const webhookId = await t.webhook(receiver.port, { access_token_ref: 'TOKEN' });
    const automation = await t.automation(receiver, { webhookId, payload: { token: '${ACCESS_TOKEN}' } });
    await t.publish(await t.aliasEvent());
    await t.deliver();
    await t.ask('PUT', `/v1/teams/${t.team.name}/secrets/TOKEN`, { value: 'second-token' });
    t.clock.forward(5);
    await t.deliver();
    await only(automation);
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first-token',
      'Bearer second-token',
    ]);
    expect(String(receiver.last.body)).toBe('{"token":"second-token"}');
  });
});
