import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RemoteServersService } from '@heddle/base-models';
import { InjectPool } from '@heddle/database';
import { productMetrics } from '@heddle/metrics';
import { withDeadline } from '@heddle/process';
import { QueueConnection } from '@heddle/queues';
import type { Queue } from 'bullmq';
import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { StoredMetricsService } from './stored-metrics.service.js';
import { VERSION } from './version.js';

/** Gauges that are called totals: Prometheus' own linter refuses them. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);
/** A scrape that waits longer for the queues goes without them. */
const QUEUE_TIMEOUT_MS = 1000;
const JOB_STATES = ['waiting', 'active', 'delayed', 'prioritized', 'failed'] as const;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus metrics of this process. Labels come from the code, never from a request: no ids, no names of tenants. */
@Injectable()
export class MetricsService implements OnApplicationShutdown {
  readonly registry = new Registry();

  readonly requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor(
    @InjectPool() pool: pg.Pool,
    connection: QueueConnection,
    @InjectQueue('webhooks') webhooks: Queue,
    @InjectQueue('cpu') cpu: Queue,
    @InjectQueue('gpu') gpu: Queue,
    private readonly stored: StoredMetricsService,
    servers: RemoteServersService,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.addBuild();
    this.addPools({ main: pool, ...(connection.postgres ? { queues: connection.postgres.pool } : {}) });
    this.addQueues([webhooks, cpu, gpu]);
    this.addServers(servers);
  }

  /** Stops what the default metrics watch; an application that is gone must not be kept by it. */
  onApplicationShutdown(): void {
    this.registry.clear();
  }

  /** What is scraped: of this process and its features, and what the database tells of the whole system. */
  async text(): Promise<string> {
    const parts = [this.registry.metrics(), productMetrics.metrics(), this.stored.text()];
    return (await Promise.all(parts)).filter((part) => part !== '').join('\n');
  }

  private addBuild(): void {
    new Gauge({
      name: 'heddle_build_info',
      help: 'Version of Heddle and of Node.js; always 1',
      labelNames: ['version', 'node_version'] as const,
      registers: [this.registry],
    }).set({ version: VERSION, node_version: process.versions.node }, 1);
  }

  private addPools(pools: Record<string, pg.Pool>): void {
    new Gauge({
      name: 'pg_pool_connections',
      help: 'Connections to PostgreSQL by pool; waiting counts callers that wait for one',
      labelNames: ['pool', 'state'] as const,
      registers: [this.registry],
      collect() {
        for (const [name, pool] of Object.entries(pools)) {
          this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
          this.set({ pool: name, state: 'idle' }, pool.idleCount);
          this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
        }
      },
    });
  }

  private addServers(servers: RemoteServersService): void {
    new Gauge({
      name: 'heddle_remote_servers',
      help: 'Trainers and inference servers that base models name, as this process sees them',
      labelNames: ['kind', 'state'] as const,
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { kind, isUp } of await servers.states()) this.inc({ kind, state: isUp ? 'up' : 'down' });
      },
    });
  }

  private addQueues(queues: readonly Queue[]): void {
    new Gauge({
      name: 'queue_jobs',
      help: 'Jobs by queue and state; the same from every process',
      labelNames: ['queue', 'state'] as const,
      registers: [this.registry],
      async collect() {
        this.reset();
        const counted = queues.map(async (queue) => {
          const counts = await withDeadline(QUEUE_TIMEOUT_MS, () => queue.getJobCounts(...JOB_STATES));
          for (const [state, count] of Object.entries(counts)) this.set({ queue: queue.name, state }, count);
        });
        await Promise.allSettled(counted);
      },
    });
  }
}
