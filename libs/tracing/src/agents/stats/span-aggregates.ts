import { ValidationError } from '@heddle/http';
import type { QuerySql } from '../../query/query-sql.js';
import type { SpanAggregation, SpanMetric, StatsValueType } from './span-stats.schema.js';
import type { SpanValue } from './span-values.js';

type Loc = (string | number)[];

const OF_TYPE: Readonly<Record<StatsValueType, readonly SpanAggregation[]>> = {
  datetime: ['min', 'max', 'count', 'count_distinct'],
  number: ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'],
  boolean: ['count', 'count_distinct', 'count_true', 'count_false'],
  string: ['count', 'count_distinct'],
};

/** Columns of a row for each span: a value, whether there is one, and `counted`, whether no span below states it too. */
interface Columns {
  value: string;
  has: string;
}

const filtered = (aggregate: string, ...conditions: string[]): string =>
  `${aggregate} FILTER (WHERE ${conditions.join(' AND ')})`;

const SQL: Readonly<Record<SpanAggregation, (columns: Columns, stated: boolean) => string>> = {
  sum: ({ value, has }, stated) => filtered(`sum(${value})`, has, ...(stated ? ['counted'] : [])),
  // Not avg(): of large numbers it fails, as it works out their squares, too.
  avg: ({ value, has }) =>
    `${filtered(`sum(${value})`, has)} / NULLIF(${filtered('count(*)', has, `${value} IS NOT NULL`)}, 0)`,
  min: ({ value, has }) => filtered(`min(${value})`, has),
  max: ({ value, has }) => filtered(`max(${value})`, has),
  count: ({ has }) => filtered('count(*)', has),
  count_distinct: ({ value, has }) => filtered(`count(DISTINCT ${value})`, has),
  count_true: ({ value, has }) => filtered('count(*)', has, value),
  count_false: ({ value, has }) => filtered('count(*)', has, `NOT ${value}`),
};
const WITHOUT_ZERO: readonly SpanAggregation[] = ['avg', 'min', 'max'];

/** One number of each row of an answer. */
export interface StatsColumn {
  name: string;
  metric: string;
  aggregation: string;
  value_type: StatsValueType;
  /** Over the {@link Columns} of its metric. */
  sql: string;
  /** Where there are no spans. */
  empty: 0 | null;
}

/** @throws ValidationError for what can't be worked out of such values */
export function aggregateOf(aggregation: SpanAggregation, value: SpanValue, columns: Columns, loc: Loc): string {
  const allowed = OF_TYPE[value.type];
  if (allowed.includes(aggregation)) return SQL[aggregation](columns, value.stated ?? false);
  const msg = `of a ${value.type}, must be one of ${allowed.join(', ')}`;
  throw ValidationError.at(loc, msg, 'wrong_aggregation', aggregation);
}

export const resultType = (aggregation: SpanAggregation, type: StatsValueType): StatsValueType =>
  aggregation === 'min' || aggregation === 'max' ? type : 'number';

/** Everything that is asked of a metric, in the order of the answer. */
export function columnsOf(
  { alias, aggregations = [], percentiles = [] }: SpanMetric,
  value: SpanValue,
  columns: Columns,
  sql: QuerySql,
  loc: Loc,
): StatsColumn[] {
  const usual = value.type === 'number' ? 'sum' : 'count';
  const wanted = aggregations.length + percentiles.length > 0 ? aggregations : [usual as SpanAggregation];
  if (percentiles.length > 0 && value.type !== 'number')
    throw ValidationError.at([...loc, 'percentiles'], `a ${value.type} has none: only numbers do`, 'wrong_aggregation');
  return [
    ...wanted.map((aggregation, i): StatsColumn => ({
      name: `${aggregation}_${alias}`,
      metric: alias,
      aggregation,
      value_type: resultType(aggregation, value.type),
      sql: aggregateOf(aggregation, value, columns, [...loc, 'aggregations', i]),
      empty: WITHOUT_ZERO.includes(aggregation) ? null : 0,
    })),
    ...percentiles.map((percentile): StatsColumn => {
      const label = `p${String(percentile).replace('.', '_')}`;
      const share = sql.bind(percentile / 100, 'float8');
      return {
        name: `${label}_${alias}`,
        metric: alias,
        aggregation: label,
        value_type: 'number',
        sql: filtered(`percentile_cont(${share}) WITHIN GROUP (ORDER BY ${columns.value})`, columns.has),
        empty: null,
      };
    }),
  ];
}
