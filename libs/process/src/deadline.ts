/** What was asked did not answer in time. */
export class DeadlineError extends Error {
  constructor(readonly milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
    this.name = 'DeadlineError';
  }
}

/**
 * Runs `work` for at most so many milliseconds, whatever it is stuck in.
 * @param work gets what is aborted then, with the error for a reason; it may abort it sooner, with a reason of its own
 * @param late makes what it is rejected with at the end of its time; called only then, since an error with its stack is a
 *   good part of what an attempt costs
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: (deadline: AbortController) => Promise<T>,
  late: () => Error = () => new DeadlineError(milliseconds),
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(late()), milliseconds);
  const aborted = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(deadline), aborted]);
  } finally {
    clearTimeout(timer);
  }
}
