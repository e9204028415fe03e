import Type, { type Static, type TSchema } from 'typebox';
import { CallFilter } from '../calls/call-filter.js';
import { ProjectId } from '../request/page.schema.js';

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const CALL_METRICS = ['latency_ms', 'call_count', 'error_count'] as const;
export type CallMetric = (typeof CALL_METRICS)[number];

export const USAGE_METRICS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_cost',
  'output_cost',
  'total_cost',
] as const;
export type UsageMetric = (typeof USAGE_METRICS)[number];

const MAX_METRICS = 20;
const MAX_PERCENTILES = 10;

const metrics = <M extends string>(names: readonly M[]) =>
  Type.Array(
    Type.Object({
      metric: Type.Enum([...names]),
      aggregations: Type.Optional(
        Type.Array(Type.Enum([...AGGREGATIONS]), {
          maxItems: AGGREGATIONS.length,
          description: 'Answered as `sum_latency_ms`. Default, without percentiles too: the sum.',
        }),
      ),
      percentiles: Type.Optional(
        Type.Array(Type.Number({ minimum: 0, maximum: 100 }), {
          maxItems: MAX_PERCENTILES,
          description: 'Answered as `p95_latency_ms`',
        }),
      ),
    }),
    { maxItems: MAX_METRICS },
  );

const time = { format: 'date-time' };

/** Beside `project_id` and `filter`, which are read as those of `/calls/stream_query`. */
export const CallStatsFields = Type.Object({
  start: Type.String({ description: 'Calls that started at this time or later, ISO 8601' }),
  end: Type.Optional(Type.String({ description: 'and before this one. Default: now.' })),
  granularity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1e9,
      description: 'Seconds of a bucket; more where they would be over 10,000. Default: by the length of the time.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 100, description: 'IANA name. Buckets are counted from its midnight. Default: UTC.' }),
  ),
  call_metrics: Type.Optional(metrics(CALL_METRICS)),
  usage_metrics: Type.Optional(metrics(USAGE_METRICS)),
});
export type CallStatsFields = Static<typeof CallStatsFields>;

export const CallStatsBody = Type.Object({
  project_id: ProjectId,
  filter: nullable(CallFilter),
  ...CallStatsFields.properties,
});

const Buckets = Type.Array(Type.Record(Type.String(), Type.Unknown()));
export const CallStatsAnswer = Type.Object({
  start: Type.String(time),
  end: Type.String(time),
  granularity: Type.Integer({ description: 'Seconds' }),
  timezone: Type.String(),
  call_buckets: Type.Array(Buckets.items, { description: '`timestamp`, `count` and the metrics, for each bucket' }),
  usage_buckets: Type.Array(Buckets.items, { description: 'The same with `model`, for each bucket and model' }),
});

export const STATS_EXAMPLE = {
  project_id: 'acme/support',
  start: '2026-01-31T00:00:00Z',
  end: '2026-02-01T00:00:00Z',
  granularity: 3600,
  timezone: 'Europe/Berlin',
  call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'], percentiles: [95] }, { metric: 'error_count' }],
  usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
};
