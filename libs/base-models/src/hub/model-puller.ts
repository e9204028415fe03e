import { setTimeout as pause } from 'node:timers/promises';
import type { HeldLock } from './download-lock.js';
import { type DownloadStatus, StatusFile } from './download-status.js';
import type { HubClient } from './hub-client.js';
import { explain, HubFailure } from './hub-failure.js';
import { ModelDownload, type Progress } from './model-download.js';
import type { ModelFolder } from './model-folder.js';

/** Milliseconds before the second try, the third, ...: for as long as nothing comes. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
/** By so much of itself a delay is longer, so that many do not come back at once. */
const JITTER = 0.2;

/** Brings a model here, however often the connection breaks, as long as there is progress or hope of it. */
export class ModelPuller {
  private readonly status: StatusFile;
  /** Most bytes that were ever there: what is fetched a second time is no progress. */
  private best = -1;
  /** Files that came whole and were not the right ones. */
  private wrong = 0;
  private last: Progress | null = null;

  constructor(
    private readonly client: HubClient,
    private readonly folder: ModelFolder,
    private readonly onStatus: (status: DownloadStatus) => void,
    private readonly delaysMs: readonly number[] = RETRY_DELAYS_MS,
  ) {
    this.status = new StatusFile(folder.path);
  }

  /** @param lock of the folder @throws HubFailure once trying again at once is no use */
  async pull(lock: HeldLock, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([lock.signal, signal]);
    const download = new ModelDownload(this.client, this.folder);
    await this.tell({ state: 'downloading', done: 0, total: null, reason: null });
    for (let failures = 0; ; failures++) {
      const before = this.best;
      try {
        return await download.run((progress) => this.note(progress), either);
      } catch (error) {
        if (either.aborted) throw either.reason;
        const failure = this.explain(error);
        if (this.best > before) failures = 0;
        const delay = this.delaysMs[failures];
        const isHopeful = failure.retry === 'soon' || (failure.retry === 'twice' && this.wrong++ < 2);
        if (!isHopeful || delay === undefined) throw failure;
        await this.wait(failure, delay, either);
      }
    }
  }

  private async wait(failure: HubFailure, delay: number, signal: AbortSignal): Promise<void> {
    const ms = Math.max(delay * (1 + Math.random() * JITTER), failure.retryAfterMs ?? 0);
    const reason = `${failure.message}; tries again in ${Math.ceil(ms / 1000)} s`;
    await this.tell({ state: 'downloading', done: this.last?.done ?? 0, total: this.last?.total ?? null, reason });
    await pause(ms, undefined, { signal });
  }

  private explain(error: unknown): HubFailure {
    const { id, revision } = this.folder;
    return explain(error, { id, revision, endpoint: this.client.endpoint, hasToken: this.client.hasToken });
  }

  private note(progress: Progress): void {
    this.last = progress;
    this.best = Math.max(this.best, progress.done);
    const status = { state: 'downloading' as const, ...progress, reason: null };
    this.onStatus(status);
    void this.status.write(status);
  }

  private async tell(status: DownloadStatus): Promise<void> {
    this.onStatus(status);
    await this.folder.make();
    await this.status.write(status, { isUrgent: true });
  }
}
