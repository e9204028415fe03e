import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { withDeadline } from './deadline.js';

const HOUR_MS = 3_600_000;
const late = new Error('late');

describe('withDeadline', () => {
  it('gives what the work gives, and makes no error for it', async () => {
    let made = 0;
    const countingLate = (): Error => {
      made++;
      return late;
    };
    expect(await withDeadline(20, () => Promise.resolve(7), countingLate)).toBe(7);
    await pause(40);
    expect(made).toBe(0);
  });

  it('rejects with what went wrong in the work', async () => {
    const failure = new Error('no connection');
    await expect(withDeadline(HOUR_MS, () => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('rejects at the end of its time, though the work goes on', async () => {
    await expect(
      withDeadline(
        5,
        () => new Promise(() => undefined),
        () => late,
      ),
    ).rejects.toBe(late);
    await expect(withDeadline(5, () => new Promise(() => undefined))).rejects.toThrow('no answer within 0.005 s');
  });

  it('tells the work why it is to end', async () => {
    let reason: unknown;
    const work = ({ signal }: AbortController): Promise<never> => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return new Promise(() => undefined);
    };
    await expect(withDeadline(5, work, () => late)).rejects.toBe(late);
    expect(reason).toBe(late);
  });

  it('ends sooner if the work says so, with its reason', async () => {
    const sooner = new Error('no connection');
    const work = (deadline: AbortController): Promise<never> => {
      deadline.abort(sooner);
      return new Promise(() => undefined);
    };
    await expect(withDeadline(HOUR_MS, work)).rejects.toBe(sooner);
  });
});
