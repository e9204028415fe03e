import Type, { type Static, type TSchema } from 'typebox';
import { ProjectId } from '../../request/page.schema.js';

const Optional = Type.Optional;
const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const maybe = <T extends TSchema>(schema: T) => Optional(orNull(schema));
const list = <T extends TSchema>(schema: T, maxItems: number) => Optional(Type.Array(schema, { maxItems }));

const VALUE_TYPES = ['datetime', 'number', 'boolean', 'string'] as const;
export type StatsValueType = (typeof VALUE_TYPES)[number];
const ValueType = Type.Enum([...VALUE_TYPES]);
const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'count_true', 'count_false'] as const;
const Aggregation = Type.Enum([...AGGREGATIONS]);
export type SpanAggregation = (typeof AGGREGATIONS)[number];

const CUSTOM = ['custom_attrs_string', 'custom_attrs_int', 'custom_attrs_float', 'custom_attrs_bool'] as const;
const Alias = Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$', maxLength: 100 });
const Key = Type.String({ maxLength: 1000 });
const Filter = Type.Object({ $expr: Type.Unknown() }, { description: 'The same language as for calls' });

const ValueRef = Type.Object({
  source: Optional(Type.Enum(['field', 'derived', ...CUSTOM])),
  key: Type.String({
    maxLength: 1000,
    description:
      'A field of spans; of `derived`: duration_ms, total_tokens, is_error, is_invocation, total_cost_usd, ' +
      'input_cost_usd or output_cost_usd',
  }),
});
export type ValueRef = Static<typeof ValueRef>;
const GroupRef = Type.Object({
  source: Optional(Type.Enum(['field', 'column', ...CUSTOM])),
  key: Key,
  alias: maybe(Alias),
});
export type GroupRef = Static<typeof GroupRef>;
const MAX_KEYS = 5;
const GroupBy = list(GroupRef, MAX_KEYS);

const MAX_METRICS = 20;
const Metric = Type.Object({
  alias: Alias,
  value_type: ValueType,
  value: ValueRef,
  aggregations: Optional(
    Type.Array(Aggregation, {
      maxItems: 8,
      uniqueItems: true,
      description: 'Answered as `sum_ALIAS`. Default, without percentiles too: the sum of numbers, else the count.',
    }),
  ),
  percentiles: Optional(
    Type.Array(Type.Number({ minimum: 0, maximum: 100 }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Answered as `p95_ALIAS`, `p99_9_ALIAS`',
    }),
  ),
});
export type SpanMetric = Static<typeof Metric>;

const Measure = Type.Object({
  alias: Alias,
  aggregation: Aggregation,
  value: maybe(ValueRef),
  value_type: maybe(ValueType),
  filter: maybe(Filter),
});
export type SpanMeasure = Static<typeof Measure>;

const Bound = maybe(Type.Union([Type.Number(), Type.String({ description: 'A time' })]));
const GroupFilter = Type.Object(
  { group_by: GroupBy, measure: Measure, min: Bound, max: Bound },
  { description: 'Only spans of groups whose measure lies between the two. Default: groups are conversations.' },
);
export type SpanGroupFilter = Static<typeof GroupFilter>;

const MAX_BINS = 200;
/** So that the width of a range is a number, too. */
const BOUNDS = { minimum: -1e300, maximum: 1e300 };
export const DEFAULT_BINS = 24;
const NumberBuckets = Type.Object({
  type: Type.Literal('number'),
  alias: maybe(Alias),
  bins: maybe(Type.Integer({ minimum: 1, maximum: MAX_BINS, description: `Default: ${DEFAULT_BINS}` })),
  min: maybe(Type.Number({ ...BOUNDS, description: 'Default: the least value' })),
  max: maybe(Type.Number({ ...BOUNDS, description: 'Default: the greatest value' })),
  value: maybe(ValueRef),
  group_by: GroupBy,
  measure: maybe(Measure),
});
export type NumberBuckets = Static<typeof NumberBuckets>;
const TimeBuckets = Type.Object({ type: Type.Literal('time') });

const MAX_GROUPS = 1000;
export const DEFAULT_GROUPS = 50;
export const QuerySpanStats = Type.Object({
  project_id: ProjectId,
  start: Type.String({ description: 'Spans that started at this time or later, ISO 8601' }),
  end: Optional(Type.String({ description: 'and before this one. Default: now.' })),
  granularity: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1e9,
      description: 'Seconds of a bucket; more where they would be over 10,000. Default: by the length of the time.',
    }),
  ),
  timezone: Optional(
    Type.String({ maxLength: 100, description: 'IANA name. Buckets are counted from its midnight. Default: UTC.' }),
  ),
  metrics: list(Metric, MAX_METRICS),
  group_by: GroupBy,
  group_limit: Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_GROUPS,
      description: `So many groups, those of the most spans; fewer where the rows would be over 10,000. Default: ${DEFAULT_GROUPS}`,
    }),
  ),
  bucket_by: Optional(
    Type.Union([TimeBuckets, NumberBuckets], {
      description: 'By time, or by ranges of a number of each span, or of a measure of each group. Default: by time.',
    }),
  ),
  group_filters: list(GroupFilter, 5),
});
export type QuerySpanStats = Static<typeof QuerySpanStats>;
export const QuerySpanStatsBody = Type.Intersect([QuerySpanStats, Type.Object({ query: Optional(Filter) })]);

export const SpanStatsFound = Type.Object({
  start: Time,
  end: Time,
  granularity: Type.Union([Type.Integer({ description: 'Seconds' }), Type.Null()], {
    description: 'Null for buckets of numbers',
  }),
  timezone: Text,
  bucket_type: Type.Enum(['time', 'number']),
  columns: Type.Array(
    Type.Object({
      name: Text,
      role: Type.Enum(['time', 'bucket', 'group', 'metric']),
      value_type: ValueType,
      metric: orNull(Text),
      aggregation: orNull(Text),
    }),
  ),
  rows: Type.Array(Type.Record(Text, Type.Unknown()), {
    description:
      'One for each bucket and group, with or without spans. Counts and sums of nothing are 0, all else of it null.',
  }),
});

export const STATS_EXAMPLE = {
  project_id: 'acme/support',
  start: '2026-01-31T00:00:00Z',
  end: '2026-02-01T00:00:00Z',
  granularity: 3600,
  group_by: [{ key: 'agent.name' }],
  metrics: [
    { alias: 'tokens', value_type: 'number', value: { source: 'derived', key: 'total_tokens' } },
    { alias: 'duration', value_type: 'number', value: { source: 'derived', key: 'duration_ms' }, percentiles: [95] },
    {
      alias: 'errors',
      value_type: 'boolean',
      value: { source: 'derived', key: 'is_error' },
      aggregations: ['count_true'],
    },
  ],
};
