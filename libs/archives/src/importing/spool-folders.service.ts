import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { isMissing } from '@heddle/files';

/** Where the rows of archives lie while they come: `DATA_DIR/archives/<uuid>`, one for each. */
@Injectable()
export class SpoolFoldersService {
  private readonly root: string;

  constructor(env: Env) {
    this.root = join(env.DATA_DIR, 'archives');
  }

  /** Runs something with a folder, which is gone afterwards. */
  async within<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.root, randomUUID());
    try {
      await mkdir(folder, { recursive: true });
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes those in which nothing was written since: processes left them behind that were killed. */
  async removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    for (const name of await namesIn(this.root)) {
      const folder = join(this.root, name);
      if ((await lastWritten(folder)) >= before.getTime()) continue;
      await rm(folder, { recursive: true, force: true });
      removed++;
    }
    return removed;
  }
}

/** @returns milliseconds since 1970; infinitely many for what is gone meanwhile */
async function lastWritten(folder: string): Promise<number> {
  try {
    const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    return Math.max(...(await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs))));
  } catch (error) {
    if (isMissing(error)) return Infinity;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
