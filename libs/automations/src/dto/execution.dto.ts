import { EXECUTION_STATES, type ExecutionState, SCOPE_TYPES, type ScopeType } from '@heddle/database';
import { IsLine, IsTime, MayBeAbsent, PageQuery } from '@heddle/http';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID, ValidateIf } from 'class-validator';
import type { ExecutionView } from '../executions/execution-view.js';

export class ExecutionDto {
  /**
   * Also the `webhook-id` header of each of its requests.
   * @example "1c9d4f3e-6b2a-4e0f-8a57-3d2c1b0a9f88"
   */
  id: string;

  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  automation_id: string;

  /** @example "Deploy what is promoted" */
  automation_name: string;

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

  /** null once it has ended. Not before the end of a pause of the webhook. */
  @ApiProperty({ example: null })
  next_attempt_at: Date | null;

  /**
   * What the receiver answered last; null where it has not answered.
   * @example 204
   */
  @ApiProperty({ type: 'integer', nullable: true })
  last_status: number | null;

  /** Why the last request failed, as in its attempt. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  last_error_code: string | null;

  /** For people. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  last_error: string | null;

  created_at: Date;

  finished_at: Date | null;

  static from({ execution, automationName, last, pausedUntil }: ExecutionView): ExecutionDto {
    const next = execution.nextAttemptAt;
    return {
      id: execution.id,
      automation_id: execution.automationId,
      automation_name: automationName,
      event_id: execution.eventId,
      webhook_id: execution.webhookId,
      state: execution.state,
      reason: execution.reason,
      attempts: execution.attempts,
      next_attempt_at: next && pausedUntil && pausedUntil > next ? pausedUntil : next,
      last_status: last?.status ?? null,
      last_error_code: last?.errorCode ?? null,
      last_error: last?.error ?? null,
      created_at: execution.createdAt,
      finished_at: execution.finishedAt,
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
  @IsTime()
  since?: Date;

  /**
   * Only those fired at or before this time.
   * @example "2026-02-01T12:00:00Z"
   */
  @IsOptional()
  @IsTime()
  until?: Date;
}

const hasScope = ({ scope_id, scope_type }: ListScopeExecutionsQuery): boolean =>
  scope_id !== undefined || scope_type !== undefined;

export class ListScopeExecutionsQuery extends ListExecutionsQuery {
  /** By creation: newest first (`desc`) or oldest first (`asc`). */
  @ApiPropertyOptional()
  @IsIn(['asc', 'desc'])
  override order: 'asc' | 'desc' = 'desc';

  /** Only what automations of one scope did, together with `scope_id`. Without it, of all that you may see. */
  @ValidateIf(hasScope)
  @IsIn(SCOPE_TYPES)
  @ApiProperty({ enum: SCOPE_TYPES, required: false })
  scope_type?: ScopeType;

  /**
   * `entity/registry` or the id of a registry; `entity/project`; name or id of a team.
   * @example "weavers/loom"
   */
  @ValidateIf(hasScope)
  @IsLine(300)
  @ApiProperty({ required: false })
  scope_id?: string;

  /**
   * Only what is for this webhook.
   * @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88"
   */
  @IsOptional()
  @IsUUID()
  webhook_id?: string;
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
  @IsTime()
  since: Date;

  /**
   * What was fired at or before this time. Default: now.
   * @example "2026-02-01T12:00:00Z"
   */
  @MayBeAbsent()
  @IsTime()
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
