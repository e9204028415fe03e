import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import { Env } from '@heddle/config';
import { DatabaseRoom, InjectPool } from '@heddle/database';
import { type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import { withDeadline } from '@heddle/process';
import type { Queue } from 'bullmq';
import type pg from 'pg';
import { freeBytes } from '@heddle/files';
import { ObjectStore } from '@heddle/storage';

/** Milliseconds after which a dependency that does not answer counts as down. */
const TIMEOUT_MS = 3000;
const MIB = 1024 * 1024;

/** Asks what this process stands on. Errors go to the log; an answer never holds a host, a user or a driver's message. */
@Injectable()
export class DependenciesService {
  private readonly logger = new Logger('Health');

  constructor(
    private readonly indicators: HealthIndicatorService,
    @InjectPool() private readonly pool: pg.Pool,
    @InjectQueue('cpu') private readonly queue: Queue,
    private readonly room: DatabaseRoom,
    private readonly objects: ObjectStore,
    private readonly env: Env,
  ) {}

  /** One indicator for each dependency. */
  indicatorFunctions(): HealthIndicatorFunction[] {
    return [
      () => this.indicate('database', () => this.askDatabase(TIMEOUT_MS)),
      // The cheapest question that BullMQ has, on Redis as on PostgreSQL.
      () => this.indicate('queues', () => withDeadline(TIMEOUT_MS, () => this.queue.isPaused())),
      () => this.disk(),
      ...(this.objects.isRemote ? [() => this.files()] : []),
    ];
  }

  /** Room for files, and the database's as far as it is known. Of a file system that can't tell, nothing is said. */
  private async disk() {
    const indicator = this.indicators.check('disk');
    if (this.room.isFull) return indicator.down('the database has no room left');
    const free = await withDeadline(TIMEOUT_MS, () => freeBytes(this.env.DATA_DIR)).catch(() => undefined);
    if (free === undefined || free >= this.env.DISK_RESERVE_MB * MIB) return indicator.up();
    this.logger.warn({ free, dataDir: this.env.DATA_DIR }, 'the disk is full');
    return indicator.down('almost no room left');
  }

  private files() {
    return this.indicate('files', () => withDeadline(TIMEOUT_MS, () => this.objects.check()));
  }

  async databaseAnswers(timeoutMs: number): Promise<boolean> {
    return this.answers('database', () => this.askDatabase(timeoutMs));
  }

  private async indicate<const Key extends string>(key: Key, ask: () => Promise<unknown>) {
    const indicator = this.indicators.check(key);
    return (await this.answers(key, ask)) ? indicator.up() : indicator.down('not reachable');
  }

  private async answers(dependency: string, ask: () => Promise<unknown>): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (err) {
      this.logger.warn({ err, dependency }, 'dependency not reachable');
      return false;
    }
  }

  /** The driver's own limit takes a connection that hangs out of the pool; ours also covers waiting for one. */
  private askDatabase(timeoutMs: number): Promise<unknown> {
    const query: pg.QueryConfig & pg.ClientConfig = { text: 'SELECT 1', query_timeout: timeoutMs };
    return withDeadline(timeoutMs, () => this.pool.query(query));
  }
}
