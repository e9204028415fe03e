import type { QuerySql } from '../../query/query-sql.js';
import type { Statement } from '../../query/statement.js';
import { isoTime } from '../../query/time-literal.js';
import { bucketOf } from '../../usage/call-stats-query.js';
import type { TimeBuckets } from '../../usage/time-buckets.js';
import type { GroupCondition, StatsPlan } from './span-stats-plan.js';
import { spanSource, type SpanSource } from './span-source-sql.js';

type From = Pick<SpanSource, 'projectId' | 'prices'>;

/** Values of a bucket, in the order of the plan's columns. */
type Values = (number | string | null)[];

/** `rank` is that of the group, by its keys; these are `v0`, `v1`, ... as the plan names them. */
export type TimeRow = { rank: number; bucket: number; values: Values; long_texts: Record<string, string> | null } & {
  [key: `v${number}`]: unknown;
};

/** Spans of the groups that have the most, by group and time. @param buckets which the window is in */
export function timeStats(plan: StatsPlan, from: From, buckets: TimeBuckets, groups: number, sql: QuerySql): Statement {
  const { sources, last } = filteredSpans(plan, from, buckets, sql);
  const keys = plan.keys.map(({ name }) => name);
  const rank = keys.length > 0 ? `dense_rank() OVER (ORDER BY ${keys.join(', ')})` : '1';
  const text = `
    WITH RECURSIVE ${sources}, ranked AS MATERIALIZED (
      SELECT f.*, (${rank})::int AS rank FROM ${last} f
    ), top AS MATERIALIZED (
      SELECT r.rank, (array_agg(r.long_texts) FILTER (WHERE r.long_texts IS NOT NULL))[1] AS long_texts
      FROM ranked r GROUP BY r.rank ORDER BY count(*) DESC, r.rank LIMIT ${sql.bind(groups, 'integer')}
    ), summed AS (
      SELECT ${['rank', ...keys].join(', ')}, ${bucketOf('started_at', buckets, sql)} AS bucket, ${valuesOf(plan)}
      FROM ranked WHERE rank IN (SELECT rank FROM top) GROUP BY ${['rank', ...keys, 'bucket'].join(', ')}
    )
    SELECT s.*, t.long_texts FROM summed s JOIN top t ON t.rank = s.rank ORDER BY s.rank, s.bucket`;
  return { text, values: sql.values };
}

/** Of no bucket where nothing lies between the two bounds; these are null where there are no values at all. */
export interface RangeRow {
  low: number | null;
  high: number | null;
  bucket: number | null;
  values: Values | null;
}

export interface Ranges {
  bins: number;
  min?: number | null;
  max?: number | null;
}

/** Spans, or groups of them, by ranges of a number. A bound that isn't given is the least or the greatest value. */
export function rangeStats(
  plan: StatsPlan,
  from: From,
  window: Pick<TimeBuckets, 'start' | 'end'>,
  { bins, min, max }: Ranges,
  sql: QuerySql,
): Statement {
  const { sources, last } = filteredSpans(plan, from, window, sql);
  const [least, most] = [min, max].map((bound) => (bound == null ? undefined : sql.bind(bound, 'float8')));
  const ranged = plan.ranged!;
  const rows =
    'keys' in ranged
      ? `SELECT (${ranged.measure})::float8 AS ranged FROM ${last} GROUP BY ${ranged.keys.join(', ')}`
      : `SELECT f.${ranged.value} AS ranged, f.* FROM ${last} f WHERE f.${ranged.has}`;
  const count = sql.bind(bins, 'float8');
  const text = `
    WITH RECURSIVE ${sources}, ranged AS MATERIALIZED (
      SELECT * FROM (${rows}) AS r WHERE r.ranged IS NOT NULL
    ), bounds AS MATERIALIZED (
      SELECT ${least ?? `least(min(ranged), ${most ?? 'NULL'})`} AS low, ${most ?? `greatest(max(ranged), ${least ?? 'NULL'})`} AS high
      FROM ranged HAVING count(*) > 0
    ), summed AS (
      SELECT CASE WHEN b.high > b.low
        THEN least(${count} - 1, floor((r.ranged - b.low) / ((b.high - b.low) / ${count}))) ELSE 0 END::int AS bucket,
        ${valuesOf(plan)}
      FROM ranged r CROSS JOIN bounds b WHERE r.ranged BETWEEN b.low AND b.high GROUP BY 1
    )
    SELECT b.low, b.high, s.bucket, s.values FROM bounds b LEFT JOIN summed s ON true ORDER BY s.bucket`;
  return { text, values: sql.values };
}

const valuesOf = ({ columns }: StatsPlan): string => {
  const values = columns.map(({ sql, value_type: type }) => (type === 'datetime' ? isoTime(`(${sql})`) : sql));
  return `json_build_array(${values.join(', ')}) AS values`;
};

/** Spans of groups that meet one condition after the other. `last`: where those are that meet all. */
function filteredSpans(
  plan: StatsPlan,
  from: From,
  window: Pick<TimeBuckets, 'start' | 'end'>,
  sql: QuerySql,
): { sources: string; last: string } {
  const { values, selected, condition, filters } = plan;
  const source = spanSource({ ...from, window, values, selected, condition }, sql);
  const names = ['found', ...filters.map((_, i) => `filtered_${i}`)];
  const parts = filters.map((filter, i) => groupsThat(filter, names[i]!, names[i + 1]!));
  return { sources: [source, ...parts].join(', '), last: names.at(-1)! };
}

/** Keys may be null, so that groups are numbered to be found again. */
const groupsThat = ({ keys, having }: GroupCondition, from: string, to: string): string => `
  ${to}_groups AS MATERIALIZED (
    SELECT f.*, dense_rank() OVER (ORDER BY ${keys.join(', ')}) AS ${to}_rank FROM ${from} f
  ), ${to} AS MATERIALIZED (
    SELECT g.* FROM ${to}_groups g
    WHERE g.${to}_rank IN (SELECT ${to}_rank FROM ${to}_groups GROUP BY ${to}_rank HAVING ${having})
  )`;
