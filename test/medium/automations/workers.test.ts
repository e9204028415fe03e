import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

describe('workers', () => {
  let t: AutomationsSystem;
  const workers: INestApplication[] = [];
  beforeAll(async () => {
    t = await AutomationsSystem.start({ WEBHOOK_SWEEP_SECONDS: '1' }, false);
  });
  afterAll(() => t.close());
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  async function startWorkers(count: number): Promise<void> {
    for (let i = 0; i < count; i++) workers.push(await t.startWorker());
  }

  async function states(...automations: GivenAutomation[]): Promise<Record<string, number>> {
    const { rows } = await t.database.pool.query<{ state: string; count: number }>(
      'SELECT state, count(*)::int FROM automation_executions WHERE automation_id = ANY($1) GROUP BY state',
      [automations.map(({ id }) => id)],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  async function finished(count: number, ...automations: GivenAutomation[]): Promise<void> {
    while ((await states(...automations))['FINISHED'] !== count) await pause(20);
  }

  it('deliver what an alias over REST fires', async () => {
    await startWorkers(1);
    const receiver = await t.receiver();
    const automation = await t.automation(receiver, {
      filter: { alias_regex: '^live$' },
      payload: { v: '${artifact_version_string}' },
    });
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await t.ask('POST', artifacts, { name: 'agent', type: 'model' });
    await t.ask('POST', `${artifacts}/agent/versions`, { metadata: {} });
    await t.ask('PUT', `${artifacts}/agent/versions/v0/aliases/live`);
    await finished(1, automation);
    expect(JSON.parse(String(receiver.last.body))).toEqual({ v: `${t.project}/agent:live` });
  });

  it('deliver what the queue lost', async () => {
    await startWorkers(1);
    const receiver = await t.receiver();
    const automation = await t.automation(receiver, { filter: { alias_regex: '^lost$' } });
    await t.publish(await t.aliasEvent('lost'));
    await finished(1, automation);
    await t.queue.obliterate({ force: true });
    // Due, and no job says so.
    await t.database.pool.query(
      "UPDATE automation_executions SET state = 'PENDING', next_attempt_at = now() WHERE automation_id = $1",
      [automation.id],
    );
    await finished(1, automation);
    expect(receiver.requests).toHaveLength(2);
  });

  it('share the work: each delivery is made once, and a webhook gets at most 10 at a time', async () => {
    let open = 0;
    let most = 0;
    const answerLate = (response: ServerResponse): void => {
      most = Math.max(most, ++open);
      // Until all slots were seen in use: however slow the machine is, they are taken before the first gets free.
      const delay = most < 10 ? 2000 : 100;
      setTimeout(() => {
        open--;
        response.writeHead(204).end();
      }, delay);
    };
    const receivers = [await t.receiver(answerLate), await t.receiver(), await t.receiver()];
    const automations: GivenAutomation[] = [];
    for (const receiver of receivers)
      automations.push(await t.automation(receiver, { filter: { alias_regex: '^many$' } }));
    const event = await t.aliasEvent('many');
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 5 }, () => t.publish(event)));
    await startWorkers(2);
    await finished(300, ...automations);
    const received = receivers.flatMap(({ requests }) => requests.map(({ headers }) => headers['webhook-id']));
    expect(new Set(received).size).toBe(300);
    expect(received).toHaveLength(300);
    expect(most).toBe(10);
  });

  it('take over from one that ended, and let what is in flight end', async () => {
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    const receiver = await t.receiver((response) => void mayAnswer.then(() => response.writeHead(204).end()));
    const automation = await t.automation(receiver, { filter: { alias_regex: '^handover$' } });
    await startWorkers(1);
    for (let i = 0; i < 30; i++) await t.publish(await t.aliasEvent('handover'));
    while (receiver.requests.length === 0) await pause(10);
    const closed = workers.shift()!.close();
    // By then it takes nothing more, however slow the machine is.
    setTimeout(answer, 1000);
    await closed;
    const sent = receiver.requests.length;
    expect(await states(automation)).toEqual({ FINISHED: sent, PENDING: 30 - sent });
    await startWorkers(1);
    await finished(30, automation);
    expect(receiver.requests).toHaveLength(30);
  });

  it('take over from one that died, once its lease has run out', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver, { filter: { alias_regex: '^orphan$' } });
    await startWorkers(1);
    await t.database.pool.query(
      "INSERT INTO webhook_lanes (webhook_id, owner, owned_until) VALUES ($1, gen_random_uuid(), now() + interval '2 seconds')",
      [automation.webhookId],
    );
    await t.publish(await t.aliasEvent('orphan'));
    await pause(500);
    expect(receiver.requests).toEqual([]);
    await finished(1, automation);
  });

  it('deliver to others while endpoints hang', async () => {
    await startWorkers(1);
    const hanging = await Promise.all(Array.from({ length: 20 }, () => t.receiver(() => undefined)));
    const automations: GivenAutomation[] = [];
    for (const each of hanging) automations.push(await t.automation(each, { filter: { alias_regex: '^hang$' } }));
    for (let i = 0; i < 12; i++) await t.publish(await t.aliasEvent('hang'));
    const receiver = await t.receiver();
    const healthy = await t.automation(receiver, { filter: { alias_regex: '^healthy$' } });
    for (let i = 0; i < 30; i++) await t.publish(await t.aliasEvent('healthy'));
    await finished(30, healthy);
    expect(await states(...automations)).toEqual({ PENDING: 240 });
    // Otherwise the worker would wait for their answers when it ends.
    for (const each of hanging) await each.close();
  });
});
