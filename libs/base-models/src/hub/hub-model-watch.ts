import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DownloadLock, type LockTiming } from './download-lock.js';
import { type DownloadStatus, StatusFile } from './download-status.js';
import type { HubClient } from './hub-client.js';
import { explain } from './hub-failure.js';
import type { ModelFolder } from './model-folder.js';
import { ModelPuller } from './model-puller.js';

export interface WatchTiming {
  /** How often a process looks what another one does. */
  pollMs: number;
  /** After so long what failed for a reason that may pass is tried again. */
  laterMs: number;
  delaysMs?: readonly number[];
  lock?: LockTiming;
}

const TIMING: WatchTiming = { pollMs: 1000, laterMs: 600_000 };

/**
 * Brings one model of the hub here and says how far it is, together with all processes that share its folder: one of them
 * downloads, the others read its status. A failure is everybody's; who starts later tries anew.
 */
export class HubModelWatch {
  private readonly startedAt = Date.now();
  private readonly lock: DownloadLock;
  private readonly status: StatusFile;

  /** @param client null where the hub must not be asked */
  constructor(
    private readonly client: HubClient | null,
    private readonly folder: ModelFolder,
    private readonly onStatus: (status: DownloadStatus) => void,
    private readonly timing: WatchTiming = TIMING,
  ) {
    this.lock = new DownloadLock(folder.path, timing.lock);
    this.status = new StatusFile(folder.path);
  }

  /** Without reading files through, so that a start does not wait for it. */
  async isWholeByLook(): Promise<boolean> {
    return (await this.folder.inspect({ byLook: true })) === 'whole';
  }

  /** Ends when all of the model is there, whoever has brought it. @throws the signal's reason */
  async untilWhole(signal: AbortSignal): Promise<void> {
    for (;;) {
      let retryAt: number | null = null;
      try {
        if ((await this.folder.inspect()) === 'whole') return;
        retryAt = await this.bringOrFail(signal);
      } catch (error) {
        signal.throwIfAborted();
        retryAt = await this.fail(error);
      }
      await this.untilWorthALook(retryAt, signal);
    }
  }

  /** @returns when to try again; null: when something has changed */
  private async bringOrFail(signal: AbortSignal): Promise<number | null> {
    if (!this.client) return this.refuseOffline();
    await this.folder.make();
    const follow = (status: DownloadStatus): void => this.onStatus(status);
    const lock = await this.lock.untilTaken(this.status, follow, this.timing.pollMs, signal);
    try {
      if ((await this.folder.inspect()) === 'whole') return Date.now();
      const known = await this.status.read();
      if (known?.state === 'failed' && known.at >= this.startedAt && (known.retryAt ?? Infinity) > Date.now()) {
        this.onStatus(known);
        return known.retryAt;
      }
      await new ModelPuller(this.client, this.folder, this.onStatus, this.timing.delaysMs).pull(lock, signal);
      return Date.now();
    } catch (error) {
      signal.throwIfAborted();
      // Before the lock is free: who takes it next reads it.
      return await this.fail(error);
    } finally {
      await lock.release();
    }
  }

  private async fail(error: unknown): Promise<number | null> {
    const { id, revision } = this.folder;
    const { endpoint = '', hasToken = false } = this.client ?? {};
    const { message, retry } = explain(error, { id, revision, endpoint, hasToken });
    const at = Date.now();
    const retryAt = retry === 'never' ? null : at + this.timing.laterMs;
    const status: DownloadStatus = { state: 'failed', reason: message, at, retryAt };
    this.onStatus(status);
    await this.status.write(status, { isUrgent: true });
    return retryAt;
  }

  /** Not written down: other processes may ask the hub. */
  private refuseOffline(): null {
    const reason = `it is not there, and HF_HUB_OFFLINE is set: \`npm run models -- pull ${this.folder.id}\` without it`;
    this.onStatus({ state: 'failed', reason, at: Date.now(), retryAt: null });
    return null;
  }

  /** Somebody may bring it by hand meanwhile. */
  private async untilWorthALook(retryAt: number | null, signal: AbortSignal): Promise<void> {
    const before = await this.manifestTime();
    // A clock that is set back meanwhile makes the time no longer.
    const until = retryAt === null ? Infinity : performance.now() + Math.min(retryAt - Date.now(), this.timing.laterMs);
    while (performance.now() < until) {
      await pause(this.timing.pollMs, undefined, { signal });
      if ((await this.manifestTime()) !== before || (await this.lock.isHeld())) return;
    }
  }

  private async manifestTime(): Promise<number | null> {
    return (await stat(this.folder.manifestPath).catch(() => null))?.mtimeMs ?? null;
  }
}
