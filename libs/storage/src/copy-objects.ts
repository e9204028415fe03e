import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.js';

/** Everything that Heddle keeps in a store. */
const FOLDERS = ['artifacts/sha256', 'trajectories'];
const DIGEST = /^artifacts\/sha256\/[\da-f]{2}\/([\da-f]{64})$/;
const TRAJECTORIES = /^trajectories\/[^/]+\.jsonl(\.gz)?$/;

export interface CopiedObjects {
  copied: number;
  bytes: number;
  /** As many were there already. */
  there: number;
  /** Keys whose content doesn't have the digest that it is called by. They aren't copied. */
  damaged: string[];
}

/**
 * Copies all objects from one store into another that lacks them; the first keeps its own. It can be stopped and begun again.
 * @param spool a folder on the disk of the store on this machine, if one of the two is
 * @param tell called after each object
 * @throws FilesUnavailableError
 */
export async function copyObjects(
  from: ObjectStore,
  to: ObjectStore,
  spool: string,
  tell: (sofar: Readonly<CopiedObjects>) => void,
): Promise<CopiedObjects> {
  const sum: CopiedObjects = { copied: 0, bytes: 0, there: 0, damaged: [] };
  await mkdir(spool, { recursive: true });
  for (const folder of FOLDERS) {
    for await (const { key } of from.list(folder)) {
      if (!DIGEST.test(key) && !TRAJECTORIES.test(key)) continue;
      await copyOne(from, to, key, join(spool, randomUUID()), sum);
      tell(sum);
    }
  }
  return sum;
}

async function copyOne(from: ObjectStore, to: ObjectStore, key: string, draft: string, sum: CopiedObjects) {
  const size = await from.sizeOf(key);
  const content = size === (await to.sizeOf(key)) ? null : await from.open(key);
  // Null also for what was removed meanwhile.
  if (!content) {
    if (size !== null) sum.there++;
    return;
  }
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  const hashed = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      sha256.update(chunk);
      md5.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(content, hashed, createWriteStream(draft, { flags: 'wx', flush: true }));
    const name = DIGEST.exec(key)?.[1];
    if (name !== undefined && sha256.digest('hex') !== name) {
      sum.damaged.push(key);
      return;
    }
    await to.put(key, draft, md5.digest('hex'));
    sum.copied++;
    sum.bytes += size!;
  } finally {
    await rm(draft, { force: true });
  }
}
