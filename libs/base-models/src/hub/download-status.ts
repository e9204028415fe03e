import { rename, writeFile } from 'node:fs/promises';
import { readJson } from './model-folder.js';
import { join } from 'node:path';

/** How far a download is, for its own process and, through the folder, for others. */
export type DownloadStatus =
  | {
      state: 'downloading';
      done: number;
      total: number | null;
      /** Why it waits, where it does. */ reason: string | null;
    }
  | { state: 'failed'; reason: string; /** Epoch milliseconds. */ at: number; retryAt: number | null };

const STATUS = '.status.json';
const WRITE_EVERY_MS = 500;

/** The status as the process that downloads writes it down, not at every byte. */
export class StatusFile {
  private readonly path: string;
  private writtenAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.path = join(folder, STATUS);
  }

  read(): Promise<DownloadStatus | null> {
    return readJson<DownloadStatus>(this.path);
  }

  /** It is only news: what can't be written is left. */
  async write(status: DownloadStatus, { isUrgent = false } = {}): Promise<void> {
    clearTimeout(this.timer);
    const early = this.writtenAt + WRITE_EVERY_MS - Date.now();
    if (!isUrgent && early > 0) {
      // A download that stands still is seen where it stands.
      this.timer = setTimeout(() => void this.write(status, { isUrgent: true }), early).unref();
      return;
    }
    this.writtenAt = Date.now();
    const draft = `${this.path}.${process.pid}.part`;
    await writeFile(draft, JSON.stringify(status))
      .then(() => rename(draft, this.path))
      .catch(() => undefined);
  }
}
