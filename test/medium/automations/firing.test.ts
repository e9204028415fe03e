import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

describe('firing', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  beforeAll(async () => {
    t = await AutomationsSystem.start({
      AUTOMATION_FIRINGS_PER_MINUTE: '20',
      TEAM_FIRINGS_PER_MINUTE: '1000',
      AUTOMATION_MAX_DEPTH: '2',
    });
    receiver = await t.receiver();
  });
  afterAll(() => t.close());

  async function reasons(automation: GivenAutomation): Promise<unknown[]> {
    return (await t.executions(automation)).map(({ reason }) => reason);
  }

  it('happens once for each event, whoever causes them at the same time', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^once$' } });
    const event = await t.aliasEvent('once');
    await Promise.all(Array.from({ length: 15 }, () => t.publish(event)));
    await t.deliver();
    const executions = await t.executions(automation);
    expect(new Set(executions.map(({ event_id }) => event_id)).size).toBe(15);
    expect(executions).toHaveLength(15);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids.sort()).toEqual(executions.map(({ id }) => id).sort());
  });

  it('does not happen for a change that is rolled back', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^undone$' } });
    const undone = t.publish(await t.aliasEvent('undone'), () => Promise.reject(new Error('rolled back')));
    await expect(undone).rejects.toThrow('rolled back');
    expect(await t.executions(automation)).toEqual([]);
    const { rows } = await t.database.pool.query("SELECT FROM automation_events WHERE event LIKE '%undone%'");
    expect(rows).toEqual([]);
  });

  it('happens for each automation that matches, on its own', async () => {
    const first = await t.automation(receiver, { filter: { alias_regex: '^both$' } });
    const second = await t.automation(receiver, { filter: { alias_regex: 'both' } });
    await t.publish(await t.aliasEvent('both'));
    expect([await t.executions(first), await t.executions(second)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('follows each change of an automation at once', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^before$' } });
    const fires = async (alias: string): Promise<number> => {
      await t.publish(await t.aliasEvent(alias));
      return (await t.executions(automation)).length;
    };
    expect(await fires('before')).toBe(1);
    await t.ask('PATCH', automation.path, { event: { filter: { alias_regex: '^after$' } } });
    expect(await fires('before')).toBe(1);
    expect(await fires('after')).toBe(2);
    await t.ask('PATCH', automation.path, { enabled: false });
    expect(await fires('after')).toBe(2);
    await t.ask('PATCH', automation.path, { enabled: true });
    expect(await fires('after')).toBe(3);
  });

  it('does not undo a change because an automation is deleted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const automation = await t.automation(receiver, { name: 'short-lived', filter: { alias_regex: '^race$' } });
      const event = await t.aliasEvent('race');
      await t.publish(event);
      const [deleted] = await Promise.all([
        t.ask('DELETE', `${automation.path}?confirm=short-lived`),
        ...Array.from({ length: 4 }, () => t.publish(event)),
      ]);
      expect(deleted.status).toBe(204);
    }
  });

  it('is not slowed down by patterns that ruin other engines', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^(a|a)+$' } });
    await t.automation(receiver, { filter: { alias_regex: '(.*)*(.*)*b$' } });
    await t.publish(await t.aliasEvent(`${'a'.repeat(20_000)}!`));
    expect(await t.executions(automation)).toEqual([]);
  });

  it('is capped for a minute, and says so', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^flood$' } });
    const event = await t.aliasEvent('flood');
    for (let i = 0; i < 22; i++) await t.publish(event);
    expect(await reasons(automation)).toEqual([...Array(20).fill(null), 'rate_limited', 'rate_limited']);
  });

  it('stops where automations lead to each other, by the id that receivers pass on', async () => {
    const own = await t.receiver();
    const automation = await t.automation(own, { filter: { alias_regex: '^loop-' } });
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await t.ask('POST', artifacts, { name: 'agent', type: 'model' });
    await t.ask('POST', `${artifacts}/agent/versions`, { metadata: {} });
    let cause = '';
    for (let i = 0; i < 4; i++) {
      const headers = { ...t.admin.bearer, 'x-caused-by-execution': cause };
      await fetch(`${t.url}${artifacts}/agent/versions/v0/aliases/loop-${i}`, { method: 'PUT', headers });
      await t.deliver();
      cause = String(own.last.headers['x-heddle-cause']);
    }
    expect(await reasons(automation)).toEqual([null, null, null, 'too_deep']);
  });

  it('goes on where somebody else makes up a chain: by an id from the history, or by one of other automations', async () => {
    const [own, theirs] = [await t.receiver(), await t.receiver()];
    const loop = await t.automation(own, { filter: { alias_regex: '^mine-' } });
    const victim = await t.automation(theirs, { filter: { alias_regex: '^(mine|theirs)-' } });
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await t.ask('POST', artifacts, { name: 'chained', type: 'model' });
    await t.ask('POST', `${artifacts}/chained/versions`, { metadata: {} });
    const alias = async (name: string, cause: string): Promise<void> => {
      const headers = { ...t.admin.bearer, 'x-caused-by-execution': cause };
      await fetch(`${t.url}${artifacts}/chained/versions/v0/aliases/${name}`, { method: 'PUT', headers });
      await t.deliver();
    };
    let cause = '';
    for (let i = 0; i < 5; i++) {
      await alias(`mine-${i}`, cause);
      if (i < 3) cause = String(own.last.headers['x-heddle-cause']);
    }
    expect((await reasons(loop)).filter((reason) => reason === 'too_deep')).toHaveLength(2);
    const id = String((await t.executions(victim)).at(-1)!['id']);
    for (const made of [id, `${id}.${randomUUID()}`, cause]) await alias(`theirs-${made.length}-${randomUUID()}`, made);
    expect(new Set(await reasons(victim))).toEqual(new Set([null]));
  });

  it('stores what happened, and no secret', async () => {
    const canary = 'canary-5d1f';
    await t.ask('POST', `/v1/teams/${t.team.name}/secrets`, { name: 'CANARY', value: canary });
    const own = await t.receiver();
    const webhookId = await t.webhook(own.port, { access_token_ref: 'CANARY' });
    const automation = await t.automation(own, {
      webhookId,
      payload: { a: '${ACCESS_TOKEN}' },
      filter: { alias_regex: 'canary' },
    });
    await t.publish(await t.aliasEvent('canary'));
    await t.deliver();
    expect(await t.executions(automation)).toMatchObject([{ state: 'FINISHED' }]);
    expect(String(own.last.body)).toContain(canary);
    for (const table of ['automations', 'automation_events', 'automation_executions', 'automation_attempts']) {
      const { rows } = await t.database.pool.query(`SELECT FROM ${table} AS r WHERE r::text LIKE '%${canary}%'`);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
