import type { AutomationEvent } from '@heddle/database';
import type { AlertSeverity } from '@heddle/events';
import { IsJsonDouble, IsJsonObject, IsLine, JSON_DOUBLE, MayBeAbsent } from '@heddle/http';
import { type JsonDouble, parseExact } from '@heddle/json';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString, IsUUID, MaxLength } from 'class-validator';
import type { Check, Evaluation } from '../evaluation/evaluation.service.js';

/** An event that happened, or one made up; what is not given has a default that fits the automation's event type. */
export class EvaluateDto {
  /** Id of an event that happened in the scope: see `/v1/automations/{id}/events` and executions. */
  @MayBeAbsent()
  @IsUUID()
  @ApiPropertyOptional({ format: 'uuid' })
  event_id?: string;

  /** @example "production" */
  @MayBeAbsent()
  @IsLine(128)
  alias?: string;

  /** @example "approved" */
  @MayBeAbsent()
  @IsLine(128)
  tag?: string;

  /** @example "chat-model" */
  @MayBeAbsent()
  @IsLine(128)
  collection_name?: string;

  /** @example "model" */
  @MayBeAbsent()
  @IsLine(128)
  artifact_type?: string;

  /** Metadata of the version. */
  @MayBeAbsent()
  @IsJsonObject({ accuracy: 0.93 })
  artifact_metadata?: Record<string, unknown>;

  /**
   * Who created the run.
   * @example "ada"
   */
  @MayBeAbsent()
  @IsLine(128)
  user?: string;

  /** @example "nightly-42" */
  @MayBeAbsent()
  @IsLine(128)
  run_name?: string;

  /**
   * Of a run or a training job.
   * @example "FAILED"
   */
  @MayBeAbsent()
  @IsLine(20)
  state?: string;

  /**
   * Of an alert.
   * @example "Low accuracy"
   */
  @MayBeAbsent()
  @IsLine(1000)
  title?: string;

  /** @example "Accuracy fell to 0.2" */
  @MayBeAbsent()
  @IsString()
  @MaxLength(100_000)
  text?: string;

  @MayBeAbsent()
  @IsIn(['INFO', 'WARN', 'ERROR'])
  severity?: AlertSeverity;

  /** Values of the metric that is watched, the newest last; what JSON has no number for is a text. */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2001)
  @IsJsonDouble({ each: true })
  @ApiPropertyOptional({ type: 'array', items: JSON_DOUBLE, example: [0.81, 0.93] })
  metric_values?: JsonDouble[];
}

class CheckDto implements Check {
  /** @example "event.filter.alias_regex" */
  field: string;

  @ApiProperty({ description: 'What must hold', example: '^prod' })
  expected: unknown;

  @ApiProperty({ description: 'What the event says', example: 'production' })
  actual: unknown;

  passed: boolean;
}

export class EvaluationDto {
  /** Whether an event like this one fires the automation now: all checks passed. */
  matched: boolean;

  checks: CheckDto[];

  /**
   * The body as it would be sent, with the webhook's secrets masked; null where `payload_error` says why not.
   * @example "{\"text\":\"weavers/releases/chat-model:production\"}"
   */
  @ApiProperty({ type: 'string', nullable: true })
  payload: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  payload_error: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The event that was looked at' })
  event: object;

  static from({ checks, payload, payloadError, event }: Evaluation): EvaluationDto {
    return { matched: checks.every(({ passed }) => passed), checks, payload, payload_error: payloadError, event };
  }
}

export class AutomationEventDto {
  /** @example "7a1e9d0c-4b3f-4c55-8d2e-6f0a1b2c3d44" */
  id: string;

  /** @example "ADD_ARTIFACT_ALIAS" */
  type: string;

  created_at: Date;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What happened, where, and who did it' })
  event: object;

  static from({ id, type, createdAt, event }: AutomationEvent): AutomationEventDto {
    return { id, type, created_at: createdAt, event: parseExact(event) as object };
  }
}
