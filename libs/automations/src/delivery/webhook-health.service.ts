import { Injectable, Logger } from '@nestjs/common';
import { WebhooksRepository } from '@heddle/webhooks';
import type { AttemptRecord } from './attempt-record.js';
import type { DeliveryLane } from './delivery-lane.js';
import { askedDelay, hasFailedForTooLong, isOurFault } from './delivery-policy.js';

/** A success of a webhook that is well is written down no more often. */
const SUCCESS_INTERVAL_MS = 60_000;

/** Pauses webhooks that fail, and disables those that are gone or have failed for too long. */
@Injectable()
export class WebhookHealthService {
  private readonly logger = new Logger('Deliveries');

  constructor(private readonly webhooks: WebhooksRepository) {}

  /** Learns from an attempt; the lane's webhook is changed with the stored one. */
  async learn({ webhook, webhookId }: DeliveryLane, { attempt, decision }: AttemptRecord, now: Date): Promise<void> {
    if (!webhook || attempt.outcome === 'blocked' || isOurFault(attempt)) return;
    if (attempt.outcome === 'delivered') {
      const lastSuccess = webhook.lastSuccessAt?.getTime() ?? 0;
      if (webhook.consecutiveFailures === 0 && now.getTime() - lastSuccess < SUCCESS_INTERVAL_MS) return;
      await this.webhooks.recordSuccess(webhookId, now);
      Object.assign(webhook, { consecutiveFailures: 0, failingSince: null, pausedUntil: null, lastSuccessAt: now });
      return;
    }
    // Requests that were in flight when the webhook was paused tell nothing new.
    if ((webhook.pausedUntil?.getTime() ?? 0) <= now.getTime()) {
      Object.assign(webhook, await this.webhooks.recordFailure(webhookId, now));
    }
    const asked = askedDelay(attempt);
    if (asked > 0) {
      const until = new Date(now.getTime() + asked * 1000);
      Object.assign(webhook, { pausedUntil: await this.webhooks.pauseUntil(webhookId, until, now) });
    }
    if (decision.state === 'FAILED') await this.maybeDisable(webhookId, decision.reason, webhook.failingSince, now);
  }

  private async maybeDisable(
    id: string,
    reason: 'gone' | 'attempts_exhausted',
    failingSince: Date | null,
    now: Date,
  ): Promise<void> {
    const isGone = reason === 'gone';
    if (!isGone && !(failingSince && hasFailedForTooLong(failingSince, now))) return;
    const disabledReason = isGone ? 'gone' : 'failing';
    if (await this.webhooks.disable(id, disabledReason)) {
      this.logger.warn({ webhookId: id, reason: disabledReason }, 'webhook disabled');
    }
  }
}
