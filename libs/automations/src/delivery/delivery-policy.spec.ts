import type { Attempt } from '@heddle/webhooks';
import { decide, hasFailedForTooLong } from './delivery-policy.js';

const SCHEDULE = { delays: [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000], jitter: 0.2 };
const MIDDLE = 0.5;

const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  outcome: 'failed',
  status: 500,
  headers: {},
  body: '',
  errorCode: 'http_error',
  error: 'no',
  retryAfterSeconds: null,
  durationMs: 5,
  remoteAddress: '127.0.0.1',
  ...fields,
});

describe('decide', () => {
  it('ends with a success', () => {
    expect(decide(attempt({ outcome: 'delivered', status: 204 }), 1, SCHEDULE, MIDDLE)).toEqual({ state: 'FINISHED' });
  });

  it('tries again by the schedule, and gives up after its last attempt', () => {
    const decisions = SCHEDULE.delays.map((_, made) => decide(attempt(), made + 1, SCHEDULE, MIDDLE));
    expect(decisions).toEqual([
      ...SCHEDULE.delays.slice(1).map((retryInSeconds) => ({ state: 'PENDING', retryInSeconds })),
      { state: 'FAILED', reason: 'attempts_exhausted' },
    ]);
  });

  it('spreads retries by a fifth to both sides', () => {
    expect(decide(attempt(), 2, SCHEDULE, 0)).toEqual({ state: 'PENDING', retryInSeconds: 240 });
    expect(decide(attempt(), 2, SCHEDULE, 1)).toEqual({ state: 'PENDING', retryInSeconds: 360 });
  });

  it.each<[string, Partial<Attempt>, number]>([
    ['429', { status: 429 }, 60],
    ['503', { status: 503 }, 60],
    ['a timeout', { status: null, errorCode: 'timeout' }, 60],
    ['a timeout of the connection', { status: null, errorCode: 'connect_timeout' }, 60],
    ['Retry-After', { status: 429, retryAfterSeconds: 120 }, 120],
    ['a short Retry-After', { status: 503, retryAfterSeconds: 1 }, 60],
    ['a Retry-After of weeks', { status: 503, retryAfterSeconds: 1e9 }, 24 * 3600],
    ['a refused connection', { status: null, errorCode: 'connection_refused' }, 5],
    ['no address', { status: null, errorCode: 'dns_not_found' }, 5],
    ['an expired certificate', { status: null, errorCode: 'tls_expired' }, 5],
    ['a redirect', { status: 302, errorCode: 'redirect' }, 5],
  ])('waits after %s', (_, fields, seconds) => {
    expect(decide(attempt(fields), 1, SCHEDULE, MIDDLE)).toEqual({ state: 'PENDING', retryInSeconds: seconds });
  });

  it('does not try again where the receiver is gone', () => {
    expect(decide(attempt({ status: 410 }), 1, SCHEDULE, MIDDLE)).toEqual({ state: 'FAILED', reason: 'gone' });
  });

  it('skips what could not be sent', () => {
    const blocked = attempt({ outcome: 'blocked', status: null, errorCode: 'missing_secret' });
    expect(decide(blocked, 1, SCHEDULE, MIDDLE)).toEqual({ state: 'SKIPPED', reason: 'missing_secret' });
  });
});

describe('hasFailedForTooLong', () => {
  it('is true after 120 h', () => {
    const since = new Date('2026-01-01T00:00:00Z');
    expect(hasFailedForTooLong(since, new Date('2026-01-05T23:59:59Z'))).toBe(false);
    expect(hasFailedForTooLong(since, new Date('2026-01-06T00:00:00Z'))).toBe(true);
  });
});
