import { readdir, stat } from 'node:fs/promises';
import { DownloadLock } from './download-lock.js';
import { StatusFile } from './download-status.js';
import type { ModelFolder } from './model-folder.js';

export interface KeptState {
  /** In words. */
  state: string;
  /** On this disk; null where that is nobody's business. */
  bytes: number | null;
}

/** How a model of the hub is doing, as far as its folder shows. */
export async function stateOnDisk(folder: ModelFolder): Promise<KeptState> {
  const names = await readdir(folder.path).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(folder.fileOf(name)).catch(() => null))?.size ?? 0),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { state: await stateOf(folder, names), bytes };
}

async function stateOf(folder: ModelFolder, names: readonly string[]): Promise<string> {
  const status = await new StatusFile(folder.path).read();
  if (await new DownloadLock(folder.path).isHeld()) {
    const { done, total } = status?.state === 'downloading' ? status : { done: 0, total: null };
    return total ? `downloading ${Math.floor((100 * done) / total)} %` : 'downloading';
  }
  const found = await folder.inspect();
  if (found === 'whole') return 'ready';
  if (found !== 'missing') return `damaged: ${found.damaged.join(', ')}`;
  if (status?.state === 'failed') return `failed: ${status.reason}`;
  return names.some((name) => !name.startsWith('.') || name.endsWith('.part')) ? 'incomplete' : 'not downloaded';
}
