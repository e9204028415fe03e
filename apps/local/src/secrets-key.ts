import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The key-encryption key of an installation that was given none: made on the first start and kept under DATA_DIR, for its
 * owner's eyes only. Whoever copies the data directory needs this file too.
 * @returns 32 bytes in base64
 */
export function localSecretsKey(dataDir: string): string {
  const file = join(dataDir, 'secrets.key');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // A link never replaces a key that is there, and is never half a file.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
