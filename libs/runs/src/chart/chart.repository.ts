import { Injectable } from '@nestjs/common';
import { InjectPool, isFinite } from '@heddle/database';
import type pg from 'pg';

export interface StepRange {
  from: number;
  to: number;
}

/** Where a metric's values lie within some steps. */
export interface MetricExtent {
  name: string;
  first_step: number;
  last_step: number;
  /** Value at the last step, finite or not. */
  last: number;
}

/** Finite values of a metric whose steps lie side by side. */
export interface MetricBucket {
  name: string;
  /** In the middle of theirs. */
  step: number;
  low: number;
  high: number;
  mean: number;
}

type BucketRow = Omit<MetricBucket, 'mean'> & { total: number; count: number };

/** From name to name through the index: a run's values may be millions. */
const NAMES = `
  WITH RECURSIVE names AS (
    (SELECT name FROM run_metrics WHERE run_id = $1 ORDER BY name LIMIT 1)
     UNION ALL
    SELECT (SELECT name FROM run_metrics WHERE run_id = $1 AND name > names.name ORDER BY name LIMIT 1)
      FROM names WHERE name IS NOT NULL)
  SELECT name FROM names WHERE name IS NOT NULL LIMIT $2`;

const KNOWN = `
  SELECT name FROM unnest($2::text[]) AS asked (name)
   WHERE EXISTS (SELECT FROM run_metrics m WHERE m.run_id = $1 AND m.name = asked.name)`;

const end = (order: 'ASC' | 'DESC'): string => `
    (SELECT step, value FROM run_metrics m
      WHERE m.run_id = $1 AND m.name = asked.name AND step BETWEEN $3 AND $4 ORDER BY step ${order} LIMIT 1)`;

const EXTENTS = `
  SELECT asked.name, first.step::float8 AS first_step, last.step::float8 AS last_step, last.value AS last
    FROM unnest($2::text[]) AS asked (name)
   CROSS JOIN LATERAL ${end('ASC')} AS first
   CROSS JOIN LATERAL ${end('DESC')} AS last`;

const partStart = (n: string): string => `($3::bigint + (${n}::numeric * ($4::bigint - $3::bigint + 1) / $5)::bigint)`;

/**
 * Each part is one walk along the index: to group all values at once PostgreSQL would sort them, a million on disk. It also
 * refuses sums and quotients that a double can't hold: values are bounded, and divided elsewhere.
 */
const BUCKETS = `
  SELECT asked.name, bucket.*
    FROM unnest($2::text[]) AS asked (name)
   CROSS JOIN generate_series(0, $5::int - 1) AS part (n)
   CROSS JOIN LATERAL (
         SELECT (min(step)::float8 + max(step)::float8) / 2 AS step, min(value) AS low, max(value) AS high,
                sum(greatest(least(value, 1e290), -1e290)) AS total, count(*)::float8 AS count
           FROM run_metrics m
          WHERE m.run_id = $1 AND m.name = asked.name AND ${isFinite('m.value')}
            AND m.step >= ${partStart('part.n')} AND m.step < ${partStart('(part.n + 1)')}) AS bucket
   WHERE bucket.count > 0
   ORDER BY asked.name, bucket.step`;

/** Reads what a chart shows. */
@Injectable()
export class ChartRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Names of the run's metrics, in order, at most so many. */
  async names(runId: string, limit: number): Promise<string[]> {
    return (await this.pool.query<{ name: string }>(NAMES, [runId, limit])).rows.map(({ name }) => name);
  }

  /** Those of the names that the run has a metric of. */
  async known(runId: string, names: string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ name: string }>(KNOWN, [runId, names]);
    return new Set(rows.map(({ name }) => name));
  }

  /** Of each metric that has values there. */
  async extents(runId: string, names: string[], { from, to }: StepRange): Promise<MetricExtent[]> {
    return (await this.pool.query<MetricExtent>(EXTENTS, [runId, names, from, to])).rows;
  }

  /** Divides the steps into so many equal parts. A part without finite values of a metric has no bucket of it. */
  async buckets(runId: string, names: string[], { from, to }: StepRange, parts: number): Promise<MetricBucket[]> {
    const { rows } = await this.pool.query<BucketRow>(BUCKETS, [runId, names, from, to, parts]);
    return rows.map(({ total, count, ...bucket }) => ({
      ...bucket,
      mean: Math.max(bucket.low, Math.min(bucket.high, total / count)),
    }));
  }
}
