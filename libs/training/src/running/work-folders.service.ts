import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

const ID_LENGTH = 36;
const RUNNING = `SELECT id FROM training_jobs WHERE state = 'RUNNING' AND id::text = ANY($1)`;

/** Where adapters lie while they are made: `DATA_DIR/training/<job>-<random>`, one for each attempt. */
@Injectable()
export class WorkFolders {
  private readonly root: string;

  constructor(
    env: Env,
    @InjectPool() private readonly pool: pg.Pool,
  ) {
    this.root = join(env.DATA_DIR, 'training');
  }

  /** Runs something with a folder, which is gone afterwards. */
  async within<T>(jobId: string, work: (folder: string) => Promise<T>): Promise<T> {
    await mkdir(this.root, { recursive: true });
    const folder = await mkdtemp(join(this.root, `${jobId}-`));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes those that workers left behind when they were killed. */
  async prune(): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    if (names.length === 0) return;
    const ids = names.map((name) => name.slice(0, ID_LENGTH));
    const running = new Set((await this.pool.query<{ id: string }>(RUNNING, [ids])).rows.map(({ id }) => id));
    for (const [index, name] of names.entries()) {
      if (!running.has(ids[index]!)) await rm(join(this.root, name), { recursive: true, force: true });
    }
  }
}
