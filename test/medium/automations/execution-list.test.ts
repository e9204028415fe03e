import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pluck } from '../accounts/requests.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

describe('the executions of a scope', () => {
  let t: AutomationsSystem;
  let failing: GivenAutomation;
  let healthy: GivenAutomation;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    const refusing = await t.receiver((response) => response.writeHead(429, { 'retry-after': '7200' }).end('busy'));
    failing = await t.automation(refusing, { name: 'to a busy receiver', filter: { alias_regex: '^first' } });
    healthy = await t.automation(await t.receiver(), { filter: { alias_regex: '^second' } });
    for (const alias of ['first', 'second', 'first-again']) {
      await t.publish(await t.aliasEvent(alias));
      await t.deliver();
    }
  });
  afterAll(() => t.close());

  const list = (query = '') => t.ask('GET', `/v1/executions?scope_type=PROJECT&scope_id=${t.project}&${query}`);

  it('are listed newest first, over all of its automations, by page', async () => {
    const all = await list();
    expect(pluck(all, 'automation_id')).toEqual([failing.id, healthy.id, failing.id]);
    const first = await list('limit=2');
    expect(first.body).toMatchObject({ has_more: true });
    expect(pluck(await list(`limit=2&after=${String(first.body['last_id'])}`), 'id')).toEqual(
      pluck(all, 'id').slice(2),
    );
    expect(pluck(await list('order=asc'), 'id')).toEqual(pluck(all, 'id').reverse());
  });

  it('say how it went last, and when it is tried again: not before the receiver wants it', async () => {
    const [newest, second, oldest] = (await list()).body['data'] as Record<string, unknown>[];
    const paused = { name: 'to a busy receiver', until: (await t.webhookState(failing.webhookId))['paused_until'] };
    expect(oldest).toMatchObject({
      automation_name: paused.name,
      ...{ state: 'PENDING', attempts: 1, last_status: 429, last_error_code: 'http_error' },
      ...{ last_error: 'The receiver answered 429', next_attempt_at: paused.until },
    });
    expect(second).toMatchObject({ last_status: 204, last_error: null, next_attempt_at: null });
    expect(newest).toMatchObject({ attempts: 0, last_status: null, next_attempt_at: paused.until });
  });

  it('are found by state, webhook and time', async () => {
    expect(pluck(await list('state=FINISHED'), 'automation_id')).toEqual([healthy.id]);
    expect(pluck(await list(`webhook_id=${failing.webhookId}`), 'state')).toEqual(['PENDING', 'PENDING']);
    expect(pluck(await list('until=2020-01-01T00:00:00Z'), 'id')).toEqual([]);
    expect((await list('webhook_id=nothing')).status).toBe(422);
    expect(pluck(await t.ask('GET', `/v1/executions?scope_type=REGISTRY&scope_id=${t.registry}`), 'id')).toEqual([]);
  });
});
