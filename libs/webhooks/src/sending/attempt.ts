import type { SendFailureCode } from './send-failure.js';

/** What came of sending one request. Everything that the receiver said is bounded and free of the secrets sent. */
export interface Attempt {
  /** `blocked`: nothing was sent, and trying again changes nothing until somebody changes the webhook or its secrets. */
  outcome: 'delivered' | 'failed' | 'blocked';
  /** null where no answer came. */
  status: number | null;
  headers: Record<string, string>;
  /** At most 16 KiB of it; null where no answer came. */
  body: string | null;
  /** Stable; null where it was delivered. */
  errorCode: SendFailureCode | null;
  /** For people. */
  error: string | null;
  /** What the receiver asked for, in seconds from now. */
  retryAfterSeconds: number | null;
  durationMs: number;
  /** null where nothing was connected. */
  remoteAddress: string | null;
}

/** Nothing was sent. */
export const blockedAttempt = (errorCode: SendFailureCode, error: string): Attempt => ({
  ...unanswered(errorCode, error, 0),
  outcome: 'blocked',
});

/** No whole answer came. */
export const unanswered = (errorCode: SendFailureCode, error: string, durationMs: number): Attempt => ({
  outcome: 'failed',
  status: null,
  headers: {},
  body: null,
  errorCode,
  error,
  retryAfterSeconds: null,
  durationMs,
  remoteAddress: null,
});
