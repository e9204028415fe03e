import type { JobsOptions, Queue } from 'bullmq';

const WAKE_TIMEOUT_MS = 5000;

/**
 * Adds a job that only wakes workers; what it loses, somebody finds in the rows. BullMQ itself waits for ever for a server that
 * hangs.
 * @throws what the queue's server said, or that it said nothing
 */
export async function addInTime(queue: Queue, name: string, options: JobsOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`the queue ${queue.name} took no job within ${WAKE_TIMEOUT_MS / 1000} s`);
    timer = setTimeout(() => reject(error), WAKE_TIMEOUT_MS).unref();
  });
  try {
    await Promise.race([queue.add(name, {}, options), late]);
  } finally {
    clearTimeout(timer);
  }
}
