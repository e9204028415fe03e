import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { Places } from '../../serving/places.js';
import { TooManyBackgroundResponsesError } from '../responses.errors.js';
import { BackgroundResponsesRepository, LEASE_SECONDS } from './background-responses.repository.js';

/** Why a response that is made is not made any further. */
export type StopReason =
  /** It was cancelled or deleted, or taken for lost: whatever comes of it nobody writes down. */
  | 'ended'
  /** This process ends. */
  | 'stopping';

interface Running {
  stop: AbortController;
  /** Those who wait for its next events. */
  readers: Set<() => void>;
}

const RENEW_EVERY_MS = (LEASE_SECONDS * 1000) / 5;

/** The responses that this process makes in the background: how many, and that it lives. */
@Injectable()
export class RunningResponsesRegistry {
  private readonly logger = new Logger('BackgroundResponses');
  private readonly running = new Map<string, Running>();
  private readonly users: Places<string>;
  private places = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly env: Env,
    private readonly repository: BackgroundResponsesRepository,
  ) {
    this.users = new Places(env.BACKGROUND_RESPONSES_PER_USER);
  }

  /** @returns what frees the place. @throws TooManyBackgroundResponsesError */
  enter({ userId }: Principal): () => void {
    const { BACKGROUND_RESPONSES: most, BACKGROUND_RESPONSES_PER_USER: mostOfUser } = this.env;
    if (this.users.isFull(userId)) throw new TooManyBackgroundResponsesError(mostOfUser, 'of yours');
    if (this.places >= most) throw new TooManyBackgroundResponsesError(most, 'of this server');
    this.users.take(userId);
    this.places++;
    return () => {
      this.users.free(userId);
      this.places--;
    };
  }

  /** From now on its lease is renewed. @param stop is aborted with a {@link StopReason} */
  add(id: string, stop: AbortController): void {
    this.running.set(id, { stop, readers: new Set() });
    this.timer ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
  }

  remove(id: string): void {
    this.tell(id);
    this.running.delete(id);
    if (this.running.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  stop(id: string, reason: StopReason): void {
    this.running.get(id)?.stop.abort(reason);
  }

  stopAll(reason: StopReason): void {
    for (const id of this.running.keys()) this.stop(id, reason);
  }

  /** There are new events. */
  tell(id: string): void {
    for (const reader of this.running.get(id)?.readers ?? []) reader();
  }

  /** Resolves when there may be new events of a response: at once where this process makes it, else after some time. */
  async news(id: string, afterMs: number, left: AbortSignal): Promise<void> {
    const readers = this.running.get(id)?.readers;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        readers?.delete(wake);
        left.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, afterMs);
      readers?.add(wake);
      left.addEventListener('abort', wake);
      if (left.aborted) wake();
    });
  }

  private async renew(): Promise<void> {
    try {
      const asked = [...this.running.keys()];
      const held = await this.repository.renew(asked);
      for (const id of asked) if (!held.has(id)) this.stop(id, 'ended');
    } catch (error) {
      // Whoever comes back in time keeps its responses.
      this.logger.warn({ err: error }, 'leases could not be renewed');
    }
  }
}
