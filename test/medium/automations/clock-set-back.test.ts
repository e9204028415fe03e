import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem, type GivenAutomation } from './automations-system.js';

const MINUTE = 60;
const HOUR = 3600;
const SET_BACK = 3 * HOUR;

describe('A clock that is set back by hours', () => {
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

  const failing = () => t.receiver((response) => response.writeHead(500).end());

  it('lets a retry wait for its delay from now on, however often it is looked at, and no longer', async () => {
    const receiver = await failing();
    const automation = await fired(receiver);
    t.clock.forward(5);
    await t.deliver();
    expect(receiver.requests).toHaveLength(2);

    t.clock.forward(MINUTE - SET_BACK);
    for (let minute = 0; minute < 4; minute++) {
      await t.lookAtPlannedTimes();
      t.clock.forward(MINUTE);
      await t.deliver();
      expect(receiver.requests).toHaveLength(2);
    }
    t.clock.forward(MINUTE);
    await t.deliver();
    expect(receiver.requests).toHaveLength(3);
    await t.ask('PATCH', automation.path, { enabled: false });
  });

  it('does not keep what was fired and not yet sent', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver);
    await t.publish(await t.aliasEvent());
    t.clock.forward(-SET_BACK);
    await t.lookAtPlannedTimes();
    await t.deliver();
    expect(receiver.requests).toHaveLength(1);
    await t.ask('PATCH', automation.path, { enabled: false });
  });

  it('makes the pause of a webhook no longer, for what is fired later either', async () => {
    let asks = true;
    const receiver = await t.receiver((response) => {
      response.writeHead(asks ? 503 : 204, asks ? { 'retry-after': '600' } : {}).end();
    });
    const automation = await fired(receiver);
    asks = false;
    t.clock.forward(-SET_BACK);
    await t.lookAtPlannedTimes();
    await t.publish(await t.aliasEvent());
    t.clock.forward(10 * MINUTE - 1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(1);
    t.clock.forward(1);
    await t.deliver();
    expect(receiver.requests).toHaveLength(3);
    await t.ask('PATCH', automation.path, { enabled: false });
  });

  it('leaves no webhook to a worker that is gone, by the clock of the database', async () => {
    const receiver = await t.receiver();
    const automation = await t.automation(receiver);
    await t.database.pool.query(
      `INSERT INTO webhook_lanes (webhook_id, owner, owned_until) VALUES ($1, gen_random_uuid(), now() + interval '3 hours')`,
      [automation.webhookId],
    );
    await t.publish(await t.aliasEvent());
    await t.deliver();
    expect(receiver.requests).toHaveLength(0);
    await t.lookAtPlannedTimes();
    const { rows } = await t.database.pool.query<{ left: number }>(
      'SELECT extract(epoch FROM owned_until - now())::float8 AS left FROM webhook_lanes WHERE webhook_id = $1',
      [automation.webhookId],
    );
    expect(rows[0]!.left).toBeLessThanOrEqual(20);
  });
});
