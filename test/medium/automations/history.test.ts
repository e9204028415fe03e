import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

type Json = Record<string, unknown>;

const DAY = 24 * 3600;

describe('the history of an automation', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  let automation: GivenAutomation;
  let status = 500;
  beforeAll(async () => {
    t = await AutomationsSystem.start({ AUTOMATION_RETENTION_DAYS: '2', WEBHOOK_RETRY_DELAYS: '0,5' });
    receiver = await t.receiver((response) => response.writeHead(status, { 'x-echo': 'yes' }).end('what happened'));
    automation = await t.automation(receiver);
    await t.publish(await t.aliasEvent());
    await t.deliver();
    t.clock.forward(5);
    await t.deliver();
    status = 200;
    await t.publish(await t.aliasEvent());
    await t.deliver();
    await t.publish(await t.aliasEvent());
  });
  afterAll(() => t.close());

  const list = async (query: string): Promise<Json> =>
    (await t.ask('GET', `${automation.path}/executions?${query}`)).body;
  const statesOf = (page: Json): unknown[] => (page['data'] as Json[]).map(({ state }) => state);

  it('is listed by page, by state and by time', async () => {
    expect(statesOf(await list(''))).toEqual(['FAILED', 'FINISHED', 'PENDING']);
    const first = await list('limit=1');
    expect(first).toMatchObject({ has_more: true });
    expect(statesOf(await list(`limit=1&after=${String(first['last_id'])}`))).toEqual(['FINISHED']);
    expect(statesOf(await list('state=FAILED'))).toEqual(['FAILED']);
    const [, { created_at: second }] = (await list(''))['data'] as [Json, Json];
    expect(statesOf(await list(`since=${String(second)}`))).toEqual(['FINISHED', 'PENDING']);
    expect(statesOf(await list(`until=2020-01-01T00:00:00Z`))).toEqual([]);
    expect((await t.ask('GET', `${automation.path}/executions?since=yesterday`)).status).toBe(422);
  });

  it('shows each attempt, with what the receiver answered', async () => {
    const [failed] = (await list('state=FAILED'))['data'] as [Json];
    const answered = { status: 500, error_code: 'http_error', response_body: 'what happened' };
    expect(await t.attempts(failed['id'])).toMatchObject([
      { number: 1, ...answered, response_headers: { 'x-echo': 'yes' } },
      { number: 2, ...answered },
    ]);
  });

  it('delivers again on request what has ended, in a new round of attempts and under the same id', async () => {
    const [failed] = (await list('state=FAILED'))['data'] as [Json];
    const path = `/v1/executions/${String(failed['id'])}`;
    expect((await t.ask('POST', `${path}/redeliver`)).body).toMatchObject({
      state: 'PENDING',
      reason: null,
      attempts: 2,
    });
    expect((await t.ask('POST', `${path}/redeliver`)).status).toBe(409);
    await t.deliver();
    expect((await t.ask('GET', path)).body).toMatchObject({ state: 'FINISHED', attempts: 3 });
    expect(receiver.requests.filter(({ headers }) => headers['webhook-id'] === failed['id'])).toHaveLength(3);
  });

  it('is forgotten after the days that it is kept, but for what is still being delivered', async () => {
    status = 500;
    await t.publish(await t.aliasEvent());
    await t.deliver();
    await t.prune();
    const before = statesOf(await list(''));
    t.clock.forward(3 * DAY);
    await t.prune();
    expect(before).toHaveLength(4);
    expect(statesOf(await list(''))).toEqual(['PENDING']);
    const { rows } = await t.database.pool.query('SELECT count(*)::int FROM automation_attempts');
    expect(rows).toEqual([{ count: 1 }]);
  });
});
