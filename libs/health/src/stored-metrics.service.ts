import { Injectable, Logger } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { withDeadline } from '@heddle/process';
import type pg from 'pg';
import { Gauge, Registry } from 'prom-client';

const TIMEOUT_MS = 2000;
/** However often and by whomever it is scraped, the database is asked once in so long. */
const KEPT_MS = 10_000;

/** One row, of small indexes: what is waiting, not what was ever done. */
const STATE = `
  SELECT (SELECT count(*) FROM automation_executions WHERE state = 'PENDING') AS pending,
         (SELECT extract(epoch FROM now() - min(next_attempt_at)) FROM automation_executions
           WHERE state = 'PENDING' AND next_attempt_at <= now()) AS overdue,
         (SELECT count(*) FROM training_jobs WHERE state = 'QUEUED') AS queued,
         (SELECT count(*) FROM training_jobs WHERE state = 'RUNNING') AS running,
         (SELECT extract(epoch FROM now() - min(created_at)) FROM training_jobs WHERE state = 'QUEUED') AS waiting,
         (SELECT coalesce(sum(size_bytes), 0) FROM artifact_blobs) AS files,
         pg_database_size(current_database()) AS database`;

type State = Record<'pending' | 'overdue' | 'queued' | 'running' | 'waiting' | 'files' | 'database', string | null>;

/** What the database tells of the whole system: the same from every process. Absent while it doesn't answer. */
@Injectable()
export class StoredMetricsService {
  private readonly logger = new Logger('Metrics');
  private readonly registry = new Registry();
  private last: { at: number; text: Promise<string> } | undefined;

  private readonly pending = this.gauge(
    'heddle_automation_executions_pending',
    'Executions that wait for their delivery',
  );
  private readonly lag = this.gauge(
    'heddle_delivery_lag_seconds',
    'For how long the oldest delivery that is due has been due',
  );
  private readonly jobs = new Gauge({
    name: 'heddle_training_jobs',
    help: 'Training jobs that are not over, by state',
    labelNames: ['state'] as const,
    registers: [this.registry],
  });
  private readonly jobLag = this.gauge(
    'heddle_training_queue_lag_seconds',
    'For how long the oldest queued training job waits',
  );
  private readonly stored = new Gauge({
    name: 'heddle_stored_bytes',
    help: 'Bytes of artifact files, and of the database with everything in it',
    labelNames: ['where'] as const,
    registers: [this.registry],
  });

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** In Prometheus' text format; empty while the database doesn't answer. */
  text(): Promise<string> {
    const now = performance.now();
    if (!this.last || now - this.last.at > KEPT_MS) this.last = { at: now, text: this.ask() };
    return this.last.text;
  }

  private async ask(): Promise<string> {
    try {
      const { rows } = await withDeadline(TIMEOUT_MS, () => this.pool.query<State>(STATE));
      this.show(rows[0]!);
      return await this.registry.metrics();
    } catch (err) {
      this.logger.warn({ err }, 'the database tells no metrics');
      return '';
    }
  }

  private show({ pending, overdue, queued, running, waiting, files, database }: State): void {
    this.pending.set(Number(pending));
    this.lag.set(Number(overdue ?? 0));
    this.jobs.set({ state: 'queued' }, Number(queued));
    this.jobs.set({ state: 'running' }, Number(running));
    this.jobLag.set(Number(waiting ?? 0));
    this.stored.set({ where: 'artifacts' }, Number(files));
    this.stored.set({ where: 'database' }, Number(database));
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] });
  }
}
