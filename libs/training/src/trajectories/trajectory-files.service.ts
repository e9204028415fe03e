import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { isMissing } from '@heddle/files';
import { ObjectStore } from '@heddle/storage';
import { TrajectoriesMissingError } from './trajectories.errors.js';

/** `none` is for what is read once and soon; `gzip` is a third to a tenth of the size, and 100 MB/s of another core. */
export type Compression = 'gzip' | 'none';

const FOLDER = 'trajectories';
const PATH = new RegExp(`^${FOLDER}/[\\da-f-]{36}\\.jsonl(\\.gz)?$`);
const FASTEST = { level: 1 };

/**
 * Files of trajectory groups, one JSON text a line: objects `trajectories/<uuid>.jsonl.gz`. A file is there whole or not at
 * all, and durable once it is. A database row names it; one that no row names is pruned.
 */
@Injectable()
export class TrajectoryFilesService {
  private readonly incoming: string;

  constructor(
    env: Env,
    private readonly objects: ObjectStore,
  ) {
    this.incoming = join(env.DATA_DIR, FOLDER, 'incoming');
  }

  async write(pieces: Iterable<Buffer>, compression: Compression): Promise<{ path: string; bytes: number }> {
    await mkdir(this.incoming, { recursive: true });
    const name = `${randomUUID()}.jsonl${compression === 'gzip' ? '.gz' : ''}`;
    const incoming = join(this.incoming, name);
    try {
      const file = createWriteStream(incoming, { flags: 'wx', flush: true });
      const source = Readable.from(pieces);
      await (compression === 'gzip' ? pipeline(source, createGzip(FASTEST), file) : pipeline(source, file));
      const path = `${FOLDER}/${name}`;
      await this.objects.put(path, incoming);
      return { path, bytes: file.bytesWritten };
    } finally {
      await rm(incoming, { force: true });
    }
  }

  /** The lines' bytes, in pieces of any size. @throws TrajectoriesMissingError */
  async *read(path: string): AsyncGenerator<Buffer, void> {
    const file = await this.objects.open(checked(path));
    if (!file) throw new TrajectoriesMissingError();
    const gunzip = path.endsWith('.gz') ? createGunzip() : undefined;
    // An error of the file reaches the reader by way of the last stream.
    if (gunzip) file.once('error', (error) => gunzip.destroy(error)).pipe(gunzip);
    try {
      yield* (gunzip ?? file) as AsyncIterable<Buffer>;
    } finally {
      file.destroy();
      gunzip?.destroy();
    }
  }

  async remove(paths: Iterable<string>): Promise<void> {
    for (const path of paths) await this.objects.remove(checked(path));
  }

  /** Paths of the files that were written before. What was being written then is removed: its process is gone. */
  async listBefore(before: Date): Promise<string[]> {
    await this.removeAbandoned(before);
    const old: string[] = [];
    for await (const { key, modifiedAt } of this.objects.list(FOLDER)) {
      if (PATH.test(key) && modifiedAt < before) old.push(key);
    }
    return old;
  }

  private async removeAbandoned(before: Date): Promise<void> {
    for (const name of await namesIn(this.incoming)) {
      const path = join(this.incoming, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }
}

function checked(path: string): string {
  if (!PATH.test(path)) throw new TypeError(`not a file of trajectories: ${path}`);
  return path;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
