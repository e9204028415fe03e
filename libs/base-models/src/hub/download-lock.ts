import { randomUUID } from 'node:crypto';
import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DownloadStatus, StatusFile } from './download-status.js';
import { HubFailure } from './hub-failure.js';
import { readJson } from './model-folder.js';

interface Holder {
  owner: string;
  pid: number;
  host: string;
}

export interface LockTiming {
  /** The holder shows that it lives once in this time. */
  beatMs: number;
  /** One that shows nothing for so long is dead. */
  deadAfterMs: number;
}

const TIMING: LockTiming = { beatMs: 2000, deadAfterMs: 15_000 };
const LOCK = '.lock';

/**
 * Who downloads into a folder, of all processes that share it: a file that a dead process keeps for a moment at most. It
 * saves traffic. What is right on the disk does not hang on it: see {@link fetchFile}.
 */
export class DownloadLock {
  private readonly path: string;
  /** What was seen of a holder's last sign of life, and when by our own clock: those of other machines may differ. */
  private seen: { owner: string; mtimeMs: number; at: number } | null = null;

  constructor(
    folder: string,
    private readonly timing: LockTiming = TIMING,
  ) {
    this.path = join(folder, LOCK);
  }

  /** null where another process downloads. To be asked again and again: a dead one is known by its silence. */
  async take(): Promise<HeldLock | null> {
    const holder: Holder = { owner: randomUUID(), pid: process.pid, host: hostname() };
    if (!(await this.write(holder))) {
      if (!(await this.isDead())) return null;
      // Of several that see this at once one moves the file away.
      const aside = `${this.path}.${holder.owner}`;
      const isMoved = await rename(this.path, aside).then(
        () => true,
        () => false,
      );
      await rm(aside, { force: true });
      if (!isMoved || !(await this.write(holder))) return null;
    }
    return new HeldLock(this.path, holder.owner, this.timing.beatMs);
  }

  /** As {@link take}, however long it takes. @param onStatus of whoever has it meanwhile @throws the signal's reason */
  async untilTaken(
    news: StatusFile,
    onStatus: (status: DownloadStatus) => void,
    pollMs: number,
    signal: AbortSignal,
  ): Promise<HeldLock> {
    for (;;) {
      const lock = await this.take();
      if (lock) return lock;
      const status = await news.read();
      if (status?.state === 'downloading') onStatus(status);
      await pause(pollMs, undefined, { signal });
    }
  }

  /** Whether a living process downloads at this moment, as far as one look and this machine's clock show. */
  async isHeld(): Promise<boolean> {
    const file = await stat(this.path).catch(() => null);
    return file !== null && Date.now() - file.mtimeMs < this.timing.deadAfterMs && !(await this.isDead());
  }

  private async write(holder: Holder): Promise<boolean> {
    try {
      await writeFile(this.path, JSON.stringify(holder), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  private async isDead(): Promise<boolean> {
    const [holder, file] = await Promise.all([readJson<Holder>(this.path), stat(this.path).catch(() => null)]);
    if (!file) return false;
    if (holder?.host === hostname() && !isAlive(holder.pid)) return true;
    const owner = holder?.owner ?? '';
    if (this.seen?.owner !== owner || this.seen.mtimeMs !== file.mtimeMs) {
      this.seen = { owner, mtimeMs: file.mtimeMs, at: Date.now() };
    }
    return Date.now() - this.seen.at >= this.timing.deadAfterMs;
  }
}

/** The right to download, with a sign of life until it is given back. */
export class HeldLock {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly path: string,
    private readonly owner: string,
    beatMs: number,
  ) {
    this.timer = setInterval(() => void this.beat(), beatMs);
    this.timer.unref();
  }

  /** Aborted when another process has taken this one for dead. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    if (await this.isOurs()) await rm(this.path, { force: true });
  }

  private async beat(): Promise<void> {
    const now = new Date();
    if (await this.isOurs()) return utimes(this.path, now, now).catch(() => undefined);
    clearInterval(this.timer);
    this.controller.abort(new HubFailure('another process downloads it now', 'soon'));
  }

  private async isOurs(): Promise<boolean> {
    return (await readJson<Holder>(this.path))?.owner === this.owner;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
