import { Webhook } from '@heddle/database';
import { DeliveryLane } from './delivery-lane.js';
import { mayStart } from './slot-limits.js';

const LIMITS = { total: 100, perWebhook: 10 };

function lane(inFlight: number, consecutiveFailures = 0): DeliveryLane {
  const found = new DeliveryLane('w', Infinity);
  return Object.assign(found, { inFlight, webhook: Object.assign(new Webhook(), { consecutiveFailures }) });
}

describe('mayStart', () => {
  it('lets a webhook have so many in flight', () => {
    expect(mayStart(lane(9), { total: 9, ofTeam: 9 }, LIMITS)).toBe(true);
    expect(mayStart(lane(10), { total: 10, ofTeam: 10 }, LIMITS)).toBe(false);
  });

  it('lets one that failed last have one', () => {
    expect(mayStart(lane(0, 1), { total: 0, ofTeam: 0 }, LIMITS)).toBe(true);
    expect(mayStart(lane(1, 1), { total: 1, ofTeam: 1 }, LIMITS)).toBe(false);
  });

  it('lets an idle webhook have one while any slot is free, whatever others hold', () => {
    expect(mayStart(lane(0), { total: 99, ofTeam: 99 }, LIMITS)).toBe(true);
    expect(mayStart(lane(0), { total: 100, ofTeam: 0 }, LIMITS)).toBe(false);
  });

  it('lets no team, and not all of them together, take the slots that idle webhooks need', () => {
    expect(mayStart(lane(1), { total: 30, ofTeam: 25 }, LIMITS)).toBe(false);
    expect(mayStart(lane(1), { total: 30, ofTeam: 24 }, LIMITS)).toBe(true);
    expect(mayStart(lane(1), { total: 75, ofTeam: 1 }, LIMITS)).toBe(false);
  });
});
