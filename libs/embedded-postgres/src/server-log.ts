import { constants } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const MAX_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 4096;

/** Opens the log for appending. One that has grown large becomes `<file>.1` first, in place of the one before. */
export async function openServerLog(file: string, maxBytes = MAX_BYTES): Promise<FileHandle> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size > maxBytes) await rename(file, `${file}.1`);
  // Root may open this in a folder of somebody else: a link there must not lead it elsewhere.
  const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  return open(file, flags, 0o600);
}

/** The end of what was logged since the file had `from` bytes. */
export async function readServerLog(file: string, from = 0): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.max(0, size - start)),
      position: start,
    });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
