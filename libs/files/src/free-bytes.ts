import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** What may still be written where a folder lies, or will lie. @throws what the system says */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(resolve(folder));
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === resolve(folder)) throw error;
    return freeBytes(parent);
  }
}
