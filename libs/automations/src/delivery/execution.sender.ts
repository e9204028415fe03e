import { Injectable, Logger } from '@nestjs/common';
import { Env } from '@heddle/config';
import { isOutage, type Webhook } from '@heddle/database';
import type { DomainEvent } from '@heddle/events';
import { parseExact } from '@heddle/json';
import { type Attempt, type TemplateVariables, WebhookDeliveryService } from '@heddle/webhooks';
import { variablesOf } from '../events/event-variables.js';
import type { AttemptRecord } from './attempt-record.js';
import { Clock } from './clock.js';
import { decide } from './delivery-policy.js';
import type { DueExecution } from './due-execution.js';

/** Makes one attempt at an execution, and decides what becomes of it. */
@Injectable()
export class ExecutionSender {
  private readonly logger = new Logger('Deliveries');

  constructor(
    private readonly delivery: WebhookDeliveryService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** @throws what went wrong where the database was away: nothing was sent, and nothing is to be written down */
  async send(webhook: Webhook, execution: DueExecution): Promise<AttemptRecord> {
    const startedAt = this.clock.now();
    const attempt = await this.attempt(webhook, execution, startedAt);
    const decision = decide(attempt, execution.round_attempts + 1, this.env.webhookRetrySchedule, Math.random());
    return { execution, startedAt, attempt, decision };
  }

  private async attempt(webhook: Webhook, execution: DueExecution, at: Date): Promise<Attempt> {
    const {
      id,
      cause_token: causeToken,
      event,
      variables,
      event_type,
      automation_name,
      request_payload: payload,
    } = execution;
    const started = performance.now();
    try {
      const known: TemplateVariables = {
        ...variablesOf(parseExact(event) as DomainEvent, event_type, automation_name),
        ...(variables === null ? {} : (JSON.parse(variables) as TemplateVariables)),
      };
      return await this.delivery.attempt(webhook, { id, causeToken, payload, variables: known, at });
    } catch (err) {
      if (isOutage(err)) throw err;
      // A fault of ours must neither end the other deliveries nor be tried for ever.
      this.logger.error({ err, executionId: id }, 'delivery failed');
      return internalError(Math.round(performance.now() - started));
    }
  }
}

const internalError = (durationMs: number): Attempt => ({
  outcome: 'failed',
  status: null,
  headers: {},
  body: null,
  errorCode: 'internal_error',
  error: 'The delivery failed inside the server: its log says why',
  retryAfterSeconds: null,
  durationMs,
  remoteAddress: null,
});
