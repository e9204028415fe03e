import type { AutomationAttempt } from '@heddle/database';
import { ApiProperty } from '@nestjs/swagger';

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
