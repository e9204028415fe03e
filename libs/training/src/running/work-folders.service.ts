import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

const ID_LENGTH = 36;
const UNENDED = `SELECT id, state FROM training_jobs WHERE state IN ('QUEUED', 'RUNNING') AND id::text = ANY($1)`;
const STATE = '-state';

/**
 * Where adapters lie while they are made: `DATA_DIR/training/<job>-<random>`, one for each attempt; and in
 * `DATA_DIR/training/<job>-state` what the next attempt goes on from.
 */
@Injectable()
export class WorkFoldersService {
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

  stateOf(jobId: string): string {
    return join(this.root, `${jobId}${STATE}`);
  }

  async forgetState(jobId: string): Promise<void> {
    await rm(this.stateOf(jobId), { recursive: true, force: true });
  }

  /** Removes those that workers left behind when they were killed, and the states of jobs that have ended. */
  async prune(): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    if (names.length === 0) return;
    const ids = names.map((name) => name.slice(0, ID_LENGTH));
    const { rows } = await this.pool.query<{ id: string; state: string }>(UNENDED, [ids]);
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    for (const [index, name] of names.entries()) {
      const state = states.get(ids[index]!);
      const isWanted = name.endsWith(STATE) ? state !== undefined : state === 'RUNNING';
      if (!isWanted) await rm(join(this.root, name), { recursive: true, force: true });
    }
  }
}
