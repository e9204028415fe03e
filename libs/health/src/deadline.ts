/** What was asked did not answer in time. */
export class DeadlineError extends Error {
  constructor(readonly milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
    this.name = 'DeadlineError';
  }
}

/**
 * The result of `work`, or a {@link DeadlineError} after so many milliseconds, whatever `work` is stuck in. The signal
 * tells it that nobody waits any more.
 */
export async function withDeadline<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlineError(milliseconds));
      controller.abort();
    }, milliseconds);
  });
  try {
    return await Promise.race([work(controller.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
