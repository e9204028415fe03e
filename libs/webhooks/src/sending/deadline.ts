/**
 * Runs `work` for at most `ms`.
 * @param late makes what it is rejected with at the end of its time; called only then, since an error with its stack is a
 *   good part of what an attempt costs
 * @param work gets what is aborted then, with that error for a reason; it may abort it sooner, with a reason of its own
 */
export async function withDeadline<T>(
  ms: number,
  late: () => Error,
  work: (deadline: AbortController) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(late()), ms);
  const aborted = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(deadline), aborted]);
  } finally {
    clearTimeout(timer);
  }
}
