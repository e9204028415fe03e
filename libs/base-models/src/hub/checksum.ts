import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { HubFile } from './hub-client.js';

/** Whether a file on disk is the one that the hub has: size, then SHA-256 or, for a small one, git's SHA-1. */
export async function isIntact(path: string, { size, sha256, oid }: HubFile): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.size !== size) return false;
  const hash = createHash(sha256 === null ? 'sha1' : 'sha256');
  if (sha256 === null) hash.update(`blob ${size}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === (sha256 ?? oid);
}
