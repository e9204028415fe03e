import type { Attempt } from '@heddle/webhooks';

/** When a delivery is tried again. */
export interface RetrySchedule {
  /** Seconds before each attempt, the first one too. */
  delays: readonly number[];
  /** By what fraction of itself a delay is longer or shorter, so that what failed together doesn't come back together. */
  jitter: number;
}

/** What becomes of an execution after an attempt. */
export type Decision =
  | { state: 'FINISHED' }
  | { state: 'PENDING'; retryInSeconds: number }
  /** `gone` also disables the webhook. */
  | { state: 'FAILED'; reason: 'gone' | 'attempts_exhausted' }
  /** Nothing was sent, and only somebody's change can help. */
  | { state: 'SKIPPED'; reason: string };

const GONE = 410;
/** Receivers that are overloaded: a retry after 5 s would be a part of the load. */
const OVERLOADED_STATUS = [429, 503];
const OVERLOADED_CODES = ['timeout', 'connect_timeout'];
const OVERLOADED_DELAY_SECONDS = 60;
const LONGEST_RETRY_AFTER_SECONDS = 24 * 3600;

/**
 * @param made attempts of this round, with this one
 * @param random from 0 to 1
 */
export function decide(attempt: Attempt, made: number, schedule: RetrySchedule, random: number): Decision {
  if (attempt.outcome === 'delivered') return { state: 'FINISHED' };
  if (attempt.outcome === 'blocked') return { state: 'SKIPPED', reason: attempt.errorCode ?? 'blocked' };
  if (attempt.status === GONE) return { state: 'FAILED', reason: 'gone' };
  const planned = schedule.delays[made];
  if (planned === undefined) return { state: 'FAILED', reason: 'attempts_exhausted' };
  const jittered = planned * (1 + schedule.jitter * (2 * random - 1));
  return { state: 'PENDING', retryInSeconds: Math.max(jittered, leastDelay(attempt)) };
}

function leastDelay(attempt: Attempt): number {
  const { status, errorCode } = attempt;
  const overloaded = OVERLOADED_STATUS.includes(status ?? 0) || OVERLOADED_CODES.includes(errorCode ?? '');
  return Math.max(askedDelay(attempt), overloaded ? OVERLOADED_DELAY_SECONDS : 0);
}

/** For how many seconds the receiver asked to be left alone, all deliveries of the webhook together. */
export const askedDelay = ({ outcome, retryAfterSeconds }: Attempt): number =>
  outcome === 'failed' ? Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS) : 0;

/** Faults of this side say nothing of the receiver. */
const OUR_CODES = ['internal_error', 'secret_unreadable'];

export const isOurFault = ({ errorCode }: Attempt): boolean => OUR_CODES.includes(errorCode ?? '');

/** So long a webhook may fail before an exhausted execution disables it. */
const FAILING_LIMIT_MS = 120 * 3600 * 1000;

export const hasFailedForTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
