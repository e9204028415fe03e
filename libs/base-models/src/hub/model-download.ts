import { stat, statfs } from 'node:fs/promises';
import { formatBytes } from '../format-bytes.js';
import { isIntact } from './checksum.js';
import { fetchFile } from './file-download.js';
import type { HubClient, HubFile } from './hub-client.js';
import { HubFailure } from './hub-failure.js';
import type { ModelFolder } from './model-folder.js';
import { neededFiles } from './needed-files.js';

export interface Progress {
  /** Bytes. */
  done: number;
  total: number;
}

/** What other files of the machine should be left. */
const SPARE_BYTES = 256 * 1024 ** 2;

/** One attempt at having all of a model, which keeps what earlier ones have fetched. */
export class ModelDownload {
  constructor(
    private readonly client: HubClient,
    private readonly folder: ModelFolder,
    /** Bytes that are free on the disk of a path. */
    private readonly freeBytes: (path: string) => Promise<number> = freeOnDisk,
  ) {}

  /** A model that is there already is checked, and what is damaged of it is fetched again: the same commit. */
  async run(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
    const { client, folder } = this;
    await folder.make();
    const { commit, files } = await this.plan(signal);
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const missing: HubFile[] = [];
    for (const file of files) if (!(await isIntact(folder.fileOf(file.name), file))) missing.push(file);
    let done = total - missing.reduce((sum, { size }) => sum + size, 0);
    await this.requireSpace(missing);
    for (const file of missing) {
      await fetchFile({ client, folder, commit, signal }, file, (there) => onProgress({ done: done + there, total }));
      done += file.size;
    }
    onProgress({ done, total });
    await folder.complete(commit, files);
  }

  private async plan(signal: AbortSignal): Promise<{ commit: string; files: HubFile[] }> {
    const { id, revision } = this.folder;
    const known = await this.folder.manifest();
    if (known) return known;
    const commit = await this.client.commitOf(id, revision, signal);
    return { commit, files: neededFiles(id, await this.client.filesOf(id, commit, signal)) };
  }

  private async requireSpace(missing: readonly HubFile[]): Promise<void> {
    let needed = 0;
    for (const file of missing) needed += file.size - ((await sizeOf(this.folder.partOf(file))) ?? 0);
    const free = await this.freeBytes(this.folder.path);
    if (needed === 0 || free >= needed + SPARE_BYTES) return;
    const figures = `${formatBytes(needed)} are missing, and ${formatBytes(free)} are free`;
    throw new HubFailure(`the disk of DATA_DIR is too full for it: ${figures}`, 'later');
  }
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => null))?.size;

async function freeOnDisk(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
