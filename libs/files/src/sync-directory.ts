import { open } from 'node:fs/promises';

/** A rename survives a power cut only once its directory is written. Windows has no such call, and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
