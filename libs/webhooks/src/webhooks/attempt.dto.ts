import { ApiProperty } from '@nestjs/swagger';
import type { Attempt } from '../sending/attempt.js';

/** What came of a test. Secrets that the receiver sent back are masked. */
export class WebhookTestDto {
  /** `delivered`: the receiver answered 2xx; `failed`: it did not; `blocked`: nothing was sent, `error` says why. */
  @ApiProperty({ enum: ['delivered', 'failed', 'blocked'] })
  outcome: Attempt['outcome'];

  /**
   * The receiver's; null where no answer came.
   * @example 200
   */
  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'application/json' },
  })
  headers: Record<string, string>;

  /**
   * At most 16 KiB of it.
   * @example "{\"ok\":true}"
   */
  body: string | null;

  /** What went wrong, e.g. `The connection was refused`. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  error: string | null;

  /**
   * Stable: `connection_refused`, `timeout`, `tls_expired`, `dns_not_found`, `redirect`, `http_error`, `blocked_address`, ...
   */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  error_code: string | null;

  /**
   * From the look-up of the host to the end of the answer, in milliseconds.
   * @example 128
   */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  static from(attempt: Attempt): WebhookTestDto {
    return {
      outcome: attempt.outcome,
      status: attempt.status,
      headers: attempt.headers,
      body: attempt.body,
      error: attempt.error,
      error_code: attempt.errorCode,
      duration_ms: attempt.durationMs,
    };
  }
}
