/**
 * Runs `work` for at most `ms`, and no longer than `outer` lets it.
 * @param late what it is rejected with at the end of its time, and what `work` finds as the signal's reason
 */
export async function withDeadline<T>(
  ms: number,
  late: Error,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), ms);
  const follow = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', follow, { once: true });
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', follow);
  }
}
