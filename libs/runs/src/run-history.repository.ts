import { Injectable } from '@nestjs/common';
import { InjectPool, isFinite } from '@heddle/database';
import type { JsonDouble } from '@heddle/json';
import type pg from 'pg';

/** All values of a run at one step. */
export interface HistoryStep {
  step: string;
  timestamp: Date;
  metrics: Record<string, JsonDouble>;
}

export interface HistoryFilter {
  /** All if left out. */
  metrics?: string[];
  /** Steps from here on. */
  sinceStep?: number;
  after?: string;
  order: 'asc' | 'desc';
  limit: number;
}

export interface SampledValue {
  name: string;
  step: string;
  value: number;
  timestamp: Date;
}

export interface MetricSummary {
  name: string;
  count: string;
  /** How many of them are finite. */
  finite: string;
  last_step: string;
  last: number;
  /** Of the finite ones; null where there is none. */
  min: number | null;
  max: number | null;
}

/** PostgreSQL writes into JSON as text what isn't finite. */
const steps = (order: 'asc' | 'desc'): string => `
  SELECT step, max(logged_at) AS timestamp, json_object_agg(name, value) AS metrics
    FROM run_metrics
   WHERE run_id = $1 AND ($2::text[] IS NULL OR name = ANY ($2)) AND ($3::bigint IS NULL OR step >= $3)
     AND ($4::bigint IS NULL OR step ${order === 'asc' ? '>' : '<'} $4)
   GROUP BY step ORDER BY step ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT $5`;

/** Of the T values of a metric, those at which n of N equal shares begins: N at most, the first and the last among them. */
const SAMPLED = `
  SELECT name, step, value, logged_at AS timestamp
    FROM (SELECT *, row_number() OVER (PARTITION BY name ORDER BY step) - 1 AS n,
                 count(*) OVER (PARTITION BY name) AS total
            FROM run_metrics
           WHERE run_id = $1 AND ($2::text[] IS NULL OR name = ANY ($2))
             AND ($3::bigint IS NULL OR step >= $3)) AS numbered
   WHERE total <= $4 OR n = 0 OR n * ($4 - 1) / (total - 1) > (n - 1) * ($4 - 1) / (total - 1)
   ORDER BY name, step`;

const IS_FINITE = isFinite('value');

/** The last value is looked up: to sort all values for it would take three times as long. */
const SUMMARY = `
  SELECT s.*, m.value AS last
    FROM (SELECT name, count(*) AS count, count(*) FILTER (WHERE ${IS_FINITE}) AS finite, max(step) AS last_step,
                 min(value) FILTER (WHERE ${IS_FINITE}) AS min, max(value) FILTER (WHERE ${IS_FINITE}) AS max
            FROM run_metrics WHERE run_id = $1 GROUP BY name) AS s
    JOIN run_metrics m ON m.run_id = $1 AND m.name = s.name AND m.step = s.last_step
   ORDER BY s.name`;

/** Reads of what runs logged. */
@Injectable()
export class RunHistoryRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** `limit` + 1 steps, where there are as many. */
  async findPage(runId: string, { metrics, sinceStep, after, order, limit }: HistoryFilter): Promise<HistoryStep[]> {
    const values = [runId, metrics ?? null, sinceStep ?? null, after ?? null, limit + 1];
    return (await this.pool.query<HistoryStep>(steps(order), values)).rows;
  }

  /** At most `points` values of each metric, evenly chosen. */
  async sample(
    runId: string,
    { metrics, sinceStep }: Pick<HistoryFilter, 'metrics' | 'sinceStep'>,
    points: number,
  ): Promise<SampledValue[]> {
    const values = [runId, metrics ?? null, sinceStep ?? null, points];
    return (await this.pool.query<SampledValue>(SAMPLED, values)).rows;
  }

  async summarize(runId: string): Promise<MetricSummary[]> {
    return (await this.pool.query<MetricSummary>(SUMMARY, [runId])).rows;
  }
}
