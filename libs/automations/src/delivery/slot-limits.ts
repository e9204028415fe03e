import type { DeliveryLane } from './delivery-lane.js';

export interface SlotLimits {
  /** Requests in flight in this process. */
  total: number;
  perWebhook: number;
}

export interface SlotUse {
  total: number;
  ofTeam: number;
}

/** Up to this part of all slots, webhooks get as many as they may; beyond it, each gets one. */
const SHARED_PART = 0.75;
/** The same for what one team holds. */
const TEAM_PART = 0.25;

/**
 * Whether one more request may go to a webhook. An endpoint that hangs holds its slots for 15 s, so that a webhook that
 * failed last has one until it succeeds again, and the last slots are for webhooks that have none.
 */
export function mayStart({ inFlight, webhook }: DeliveryLane, use: SlotUse, limits: SlotLimits): boolean {
  if (use.total >= limits.total) return false;
  if (inFlight === 0) return true;
  const isFailing = (webhook?.consecutiveFailures ?? 0) > 0;
  return (
    !isFailing &&
    inFlight < limits.perWebhook &&
    use.total < limits.total * SHARED_PART &&
    use.ofTeam < limits.total * TEAM_PART
  );
}
