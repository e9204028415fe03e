import {
  type AutomationAttempt,
  type AutomationExecution,
  EXECUTION_STATES,
  type ExecutionState,
} from '@heddle/database';
import { MayBeAbsent, PageQuery } from '@heddle/http';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDate, IsIn, IsOptional, IsUUID } from 'class-validator';

export class ExecutionDto {
  /**
   * Also the `webhook-id` header of each of its requests.
   * @example "1c9d4f3e-6b2a-4e0f-8a57-3d2c1b0a9f88"
   */
  id: string;

  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  automation_id: string;

  /** @example "7a1e9d0c-4b3f-4c55-8d2e-6f0a1b2c3d44" */
  event_id: string;

  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  webhook_id: string;

  /** `PENDING`: being delivered, or to be tried again; `SKIPPED`: nothing was sent, and `reason` says why. */
  @ApiProperty({ enum: EXECUTION_STATES, example: 'FINISHED' })
  state: ExecutionState;

  /**
   * Why it failed (`attempts_exhausted`, `gone`) or was skipped (`webhook_disabled`, `webhook_deleted`, `missing_secret`,
   * `blocked_address`, `rate_limited`, `too_deep`, ...).
   */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  reason: string | null;

  /**
   * Requests that were sent.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  attempts: number;

  /** null once it has ended. */
  @ApiProperty({ example: null })
  next_attempt_at: Date | null;

  created_at: Date;

  finished_at: Date | null;

  static from(execution: AutomationExecution): ExecutionDto {
    return {
      id: execution.id,
      automation_id: execution.automationId,
      event_id: execution.eventId,
      webhook_id: execution.webhookId,
      state: execution.state,
      reason: execution.reason,
      attempts: execution.attempts,
      next_attempt_at: execution.nextAttemptAt,
      created_at: execution.createdAt,
      finished_at: execution.finishedAt,
    };
  }
}

export class AttemptDto {
  id: string;

  /**
   * From 1.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  number: number;

  started_at: Date;

  /**
   * Milliseconds, the reading of the answer included.
   * @example 38
   */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  /**
   * Of the answer, if one came.
   * @example 503
   */
  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  /**
   * null after a success; `http_error`, `redirect`, `timeout`, `connection_refused`, `dns_not_found`, `tls_expired`,
   * `blocked_address`, `missing_secret`, ...
   * @example "http_error"
   */
  @ApiProperty({ type: 'string', nullable: true })
  error_code: string | null;

  /** @example "The receiver answered 503" */
  @ApiProperty({ type: 'string', nullable: true })
  error: string | null;

  /** Secrets are masked. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { 'retry-after': '120' },
  })
  response_headers: Record<string, string> | null;

  /**
   * At most 16 KiB of it; secrets are masked.
   * @example "try again later"
   */
  @ApiProperty({ type: 'string', nullable: true })
  response_body: string | null;

  static from(attempt: AutomationAttempt): AttemptDto {
    return {
      id: attempt.id,
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error_code: attempt.errorCode,
      error: attempt.error,
      response_headers:
        attempt.responseHeaders === null ? null : (JSON.parse(attempt.responseHeaders) as Record<string, string>),
      response_body: attempt.responseBody,
    };
  }
}

export class ListExecutionsQuery extends PageQuery {
  @IsOptional()
  @IsIn(EXECUTION_STATES)
  @ApiProperty({ enum: EXECUTION_STATES, required: false })
  state?: ExecutionState;

  /**
   * Only those fired at or after this time.
   * @example "2026-01-31T12:00:00Z"
   */
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  since?: Date;

  /**
   * Only those fired at or before this time.
   * @example "2026-02-01T12:00:00Z"
   */
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  until?: Date;
}

export class ExecutionPath {
  /** @example "1c9d4f3e-6b2a-4e0f-8a57-3d2c1b0a9f88" */
  @IsUUID()
  id: string;
}

export class RecoverDto {
  /**
   * What was fired at or after this time.
   * @example "2026-01-31T12:00:00Z"
   */
  @Type(() => Date)
  @IsDate()
  since: Date;

  /**
   * What was fired at or before this time. Default: now.
   * @example "2026-02-01T12:00:00Z"
   */
  @MayBeAbsent()
  @Type(() => Date)
  @IsDate()
  until?: Date;
}

export class RecoveredDto {
  /**
   * How many executions are delivered again.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  recovered: number;
}
