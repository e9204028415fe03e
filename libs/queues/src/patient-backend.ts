import { setTimeout as pause } from 'node:timers/promises';
import type { IQueueBackend } from 'bullmq';

const AFTER_ERROR_MS = 1000;

/**
 * Lets a claim that failed fail a second later. BullMQ waits only after what it takes for a lost connection; after any other
 * error (a server that starts up, a proxy without one, a full disk) it claims again at once, thousands of times a second.
 */
export function claimPatiently<Backend extends IQueueBackend>(backend: Backend): Backend {
  const claim = backend.moveToActive.bind(backend);
  backend.moveToActive = async (token, name) => {
    try {
      return await claim(token, name);
    } catch (error) {
      await pause(AFTER_ERROR_MS);
      throw error;
    }
  };
  return backend;
}
