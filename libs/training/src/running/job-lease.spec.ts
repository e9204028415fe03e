import { jest } from '@jest/globals';
import { JobLease } from './job-lease.js';
import { type ClaimedJob, HEARTBEAT_EVERY_MS } from './training-claims.repository.js';

const JOB = { id: 'job' } as ClaimedJob;
type Answer = 'running' | 'cancelled' | 'lost' | Error;

describe('JobLease', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A lease that hears these answers, one a heartbeat. */
  async function after(...answers: Answer[]): Promise<{ lease: JobLease; asked: number }> {
    let asked = 0;
    const heartbeat = async (): Promise<'running' | 'cancelled' | 'lost'> => {
      const answer = answers[asked++] ?? 'running';
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const lease = new JobLease(JOB, { heartbeat });
    await jest.advanceTimersByTimeAsync(HEARTBEAT_EVERY_MS * (answers.length + 2));
    lease.end();
    return { lease, asked };
  }

  it('goes on while the job is held and wanted, also where the database is away for a moment', async () => {
    const { lease, asked } = await after('running', new Error('no database'), 'running');
    expect(lease.stopped).toBeNull();
    expect(asked).toBeGreaterThanOrEqual(5);
  });

  it("is among the first to be heard when the database is back: a job that nobody hears of becomes another's", async () => {
    const { asked } = await after(...Array.from({ length: 11 }, () => new Error('no database')), 'running');
    // The eleven fell within two seconds.
    expect(asked).toBeGreaterThan(20);
  });

  it.each(['cancelled', 'lost'] as const)('aborts a job that is %s, and asks no more', async (reason) => {
    const { lease, asked } = await after('running', reason);
    expect([lease.stopped, lease.signal.aborted, asked]).toEqual([reason, true, 2]);
  });

  it('keeps the first reason', async () => {
    const { lease } = await after('cancelled');
    lease.stop('stopping');
    expect(lease.stopped).toBe('cancelled');
  });

  it('asks no more once it has ended', async () => {
    const { lease } = await after();
    await jest.advanceTimersByTimeAsync(HEARTBEAT_EVERY_MS * 3);
    expect(jest.getTimerCount()).toBe(0);
    expect(lease.stopped).toBeNull();
  });
});
