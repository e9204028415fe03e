import { setTimeout as delay } from 'node:timers/promises';
import { getQueueToken } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { prepareQueues } from '@heddle/queues';
import { CallRetentionModule, PruneCallsHandler } from '@heddle/tracing';
import type { Queue } from 'bullmq';
import { createWorker } from '../../../../apps/worker/src/create-worker.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { Given } from '../../../support/given.js';

export interface PruningWorker {
  prune(): Promise<{ calls: number; feedback: number }>;
  /** As a process that is told to stop: a run that is going on ends. */
  stop(): Promise<void>;
}

/** A call as it stands in the database; ages are in days, and null is what never came. */
export interface AgedCall {
  startedAgo: number | null;
  createdAgo?: number;
  deletedAgo?: number;
}

/** Calls of any age in a database of its own, and workers that prune it. */
export class RetentionSystem {
  private readonly workers: PruningWorker[] = [];
  private counter = 0;

  private constructor(
    readonly database: TestDatabase,
    private readonly team: { id: string; name: string },
  ) {}

  static async start(): Promise<RetentionSystem> {
    const database = await createDatabase();
    return new RetentionSystem(database, await new Given(database.pool).team());
  }

  async close(): Promise<void> {
    for (const worker of this.workers) await worker.stop();
    await this.database.drop();
  }

  async worker(defaultDays: number): Promise<PruningWorker> {
    const settings = { NODE_ENV: 'test', DATABASE_URL: this.database.url, RETENTION_DAYS: String(defaultDays) };

    @Module({
      imports: [ConfigModule.forRoot(Env.from(settings)), DatabaseModule.forRoot('heddle-worker'), CallRetentionModule],
    })
    class WorkerPart {}

    const app = await NestFactory.createApplicationContext(WorkerPart, { logger: false, abortOnError: false });
    let stopped: Promise<void> | undefined;
    const worker = {
      prune: () => app.get(PruneCallsHandler).handle(),
      stop: () => (stopped ??= app.close()),
    };
    this.workers.push(worker);
    return worker;
  }

  /** In a whole worker, by way of its queue. */
  async runJob(name: string): Promise<void> {
    const env = Env.from({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: this.database.url });
    await prepareQueues(env);
    const worker = await createWorker(env);
    await worker.init();
    const queue = worker.get<Queue>(getQueueToken('cpu'), { strict: false });
    const job = await queue.add(name, {});
    while (!(await job.isCompleted())) {
      if (await job.isFailed()) throw new Error(`the job ${name} failed`);
      await delay(50);
    }
    await worker.close();
  }

  /** Until a statement waits for a lock. */
  async untilOneWaits(): Promise<void> {
    const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await this.database.pool.query(sql)).rowCount === 0) await delay(20);
  }

  async project(retentionDays: number | null): Promise<GivenProject> {
    const name = `project-${++this.counter}`;
    const sql = 'INSERT INTO projects (team_id, name, retention_days) VALUES ($1, $2, $3) RETURNING id';
    const { rows } = await this.database.pool.query<{ id: number }>(sql, [this.team.id, name, retentionDays]);
    return new GivenProject(this.database, rows[0]!.id, `${this.team.name}/${name}`);
  }
}

export class GivenProject {
  constructor(
    private readonly database: TestDatabase,
    readonly id: number,
    readonly name: string,
  ) {}

  async call(id: string, { startedAgo, createdAgo = 0, deletedAgo }: AgedCall): Promise<void> {
    const ago = (n: number): string => `now() - $${n}::float8 * interval '1 day'`;
    await this.database.pool.query(
      `INSERT INTO calls (project_id, id, started_at, created_at, deleted_at) VALUES ($1, $2, ${ago(3)}, ${ago(4)}, ${ago(5)})`,
      [this.id, id, startedAgo, createdAgo, deletedAgo ?? null],
    );
  }

  /** So many calls of one age. */
  async calls(count: number, startedAgo: number): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO calls (project_id, id, started_at)
       SELECT $1, 'call-' || i, now() - $2::float8 * interval '1 day' FROM generate_series(1, $3::int) i`,
      [this.id, startedAgo, count],
    );
  }

  async feedback(id: string, ref: string): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO feedback (project_id, id, weave_ref, feedback_type, payload, details, wb_user_id)
       VALUES ($1, $2, $3, 'note', '{}', '{}', 'ada')`,
      [this.id, id, ref],
    );
  }

  callRef = (id: string): string => `weave:///${this.name}/call/${id}`;

  /** Ids that are there, in order. */
  async left(table: 'calls' | 'feedback' = 'calls'): Promise<string[]> {
    const sql = `SELECT id FROM ${table} WHERE project_id = $1 ORDER BY id`;
    return (await this.database.pool.query<{ id: string }>(sql, [this.id])).rows.map(({ id }) => id);
  }
}
