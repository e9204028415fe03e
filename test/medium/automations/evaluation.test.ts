import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';
import { domainEvent } from './event-builder.js';

type Json = Record<string, unknown>;
type Verdict = Json & { checks: { field: string; passed: boolean; actual: unknown }[] };

describe('evaluate', () => {
  let t: AutomationsSystem;
  let automation: GivenAutomation;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    const receiver = await t.receiver();
    await t.ask('POST', `/v1/teams/${t.team.name}/secrets`, { name: 'TOKEN', value: 'canary-token' });
    const webhookId = await t.webhook(receiver.port, { access_token_ref: 'TOKEN' });
    automation = await t.automation(receiver, {
      webhookId,
      payload: '{"at": "${artifact_version_string}", "acc": ${artifact_metadata.acc}, "token": "${ACCESS_TOKEN}"}',
      filter: { alias_regex: '^prod', collection_regex: '^chat' },
    });
  });
  afterAll(() => t.close());

  async function evaluate(body: Json, of = automation): Promise<Verdict> {
    const answer = await t.ask('POST', `${of.path}/evaluate`, body);
    expect(answer.status).toBe(200);
    return answer.body as Verdict;
  }

  const failed = ({ checks }: Verdict): unknown[] =>
    checks.filter(({ passed }) => !passed).map(({ field, actual }) => [field, actual]);

  it('shows what a sample would send, with secrets masked, and sends nothing', async () => {
    const verdict = await evaluate({ alias: 'prod', collection_name: 'chat', artifact_metadata: { acc: 0.5 } });
    expect(verdict).toMatchObject({ matched: true, payload_error: null });
    expect(JSON.parse(String(verdict['payload']))).toEqual({ at: `${t.project}/chat:prod`, acc: 0.5, token: '***' });
    expect(await t.executions(automation)).toEqual([]);
  });

  it("says of a registry's version what the registry calls it", async () => {
    const inRegistry = await t.automation(await t.receiver(), {
      payload: '{"at": "${artifact_version_string}", "version": "${artifact_version}"}',
      filter: { alias_regex: '.' },
      scope: { scope_type: 'REGISTRY', scope_id: t.registry },
    });
    const { payload } = await evaluate({ alias: 'prod', collection_name: 'chat' }, inRegistry);
    expect(JSON.parse(String(payload))).toEqual({
      at: `${t.registry}/chat:prod`,
      version: `${t.registry}/chat:v0`,
    });
  });

  it('says field by field why an event does not match', async () => {
    const verdict = await evaluate({ alias: 'staging', collection_name: 'other' });
    expect(verdict['matched']).toBe(false);
    expect(failed(verdict)).toEqual([
      ['event.filter.alias_regex', 'staging'],
      ['event.filter.collection_regex', 'other'],
    ]);
  });

  it('judges an event that happened, and lists those of the scope', async () => {
    await t.publish(await t.aliasEvent('staging'));
    const { body } = await t.ask('GET', `${automation.path}/events`);
    const [{ id }] = body['data'] as [{ id: string }];
    expect(failed(await evaluate({ event_id: id }))).toEqual([['event.filter.alias_regex', 'staging']]);
    const tag = await t.automation(await t.receiver(), { eventType: 'ADD_ARTIFACT_TAG', filter: {} });
    expect(failed(await evaluate({ event_id: id }, tag))).toEqual([['event.event_type', 'ADD_ARTIFACT_ALIAS']]);
  });

  it("finds no event of another scope, whoever's it is", async () => {
    await t.publish(domainEvent('ADD_ARTIFACT_ALIAS', await t.placeOfRegistry()));
    const { rows } = await t.database.pool.query<{ id: string }>(
      'SELECT id FROM automation_events WHERE registry_id IS NOT NULL',
    );
    expect((await t.ask('POST', `${automation.path}/evaluate`, { event_id: rows[0]!.id })).status).toBe(404);
  });

  it('says so where the automation or its webhook is disabled', async () => {
    await t.ask('PATCH', automation.path, { enabled: false });
    await t.ask('PATCH', `/v1/teams/${t.team.name}/webhooks/${automation.webhookId}`, { enabled: false });
    expect(failed(await evaluate({ alias: 'prod' }))).toEqual([
      ['enabled', false],
      ['webhook', 'disabled'],
    ]);
  });

  it('judges sample values of a metric', async () => {
    const filter = { name: 'loss', agg_op: 'AVERAGE', window_size: 2, cmp_op: '<', threshold: 1 };
    const onMetric = await t.automation(await t.receiver(), {
      eventType: 'RUN_METRIC',
      filter,
      payload: '{"v": ${metric_value}}',
    });
    expect(await evaluate({ metric_values: [9, 0.5, 1] }, onMetric)).toMatchObject({
      matched: true,
      payload: '{"v": 0.75}',
    });
    expect(failed(await evaluate({ metric_values: [2, 2] }, onMetric))).toEqual([['metric loss', '2 < 1']]);
    expect(failed(await evaluate({}, onMetric))).toEqual([['metric loss', '0 of the 2 values that the window needs']]);
  });
});
