import Type, { type Static } from 'typebox';
import { ProjectId } from '../request/page.schema.js';

const Optional = Type.Optional;
const Texts = Type.Array(Type.String(), { maxItems: 1000 });
export const GROUPS = ['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code'] as const;

/** From the year 1 to 9999. */
const YEARS = { minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 };

export const AggregateFeedback = Type.Object({
  project_id: ProjectId,
  after_ms: Type.Integer({ ...YEARS, description: 'From then on, in milliseconds since 1970' }),
  before_ms: Type.Integer({ ...YEARS, description: 'Before then' }),
  feedback_types: Optional(Type.Array(Type.String(), { description: 'Beginnings of types' })),
  monitor_ids: Optional(
    Type.Array(Type.String(), { description: 'Names of objects; a * at the end stands for anything' }),
  ),
  scorer_ids: Optional(Texts),
  span_agent_names: Optional(Texts),
  span_types: Optional(Type.Array(Type.Enum(['agent_turn', 'agent_conversation']))),
  tags: Optional(Texts),
  rating_min: Optional(Type.Number()),
  rating_max: Optional(Type.Number()),
  group_by: Optional(Type.Array(Type.Enum([...GROUPS]))),
  time_bucket_seconds: Optional(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
});
export type AggregateFeedback = Static<typeof AggregateFeedback>;
const Counts = Type.Record(Type.String(), Type.Number());
export const FeedbackAggregated = Type.Object({
  after_ms: Type.Integer(),
  before_ms: Type.Integer(),
  time_bucket_seconds: Type.Union([Type.Integer(), Type.Null()]),
  buckets: Type.Array(
    Type.Object({
      time_bucket_start_ms: Type.Union([Type.Integer(), Type.Null()]),
      group: Type.Record(Type.String(), Type.String()),
      total_count: Type.Integer(),
      scored_count: Type.Integer(),
      tag_counts: Counts,
      rating_sums: Counts,
      rating_counts: Counts,
    }),
  ),
});

const window = {
  project_id: ProjectId,
  start: Type.String({ description: 'ISO 8601' }),
  end: Optional(Type.String({ description: 'Default: now' })),
  feedback_type: Optional(Type.String()),
  trigger_ref: Optional(Type.String({ description: 'With `:*` at the end: any version' })),
};
const NUMBERS = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'] as const;

export const FeedbackMetric = Type.Object({
  json_path: Type.String({ maxLength: 1000, description: 'In the payload: `output.score`' }),
  value_type: Optional(Type.Enum(['numeric', 'boolean', 'categorical'])),
  aggregations: Optional(Type.Array(Type.Enum([...NUMBERS]))),
  percentiles: Optional(Type.Array(Type.Number({ minimum: 0, maximum: 100 }), { maxItems: 20 })),
});
export type FeedbackMetric = Static<typeof FeedbackMetric>;
export const FeedbackStats = Type.Object({
  ...window,
  metrics: Optional(Type.Array(FeedbackMetric, { maxItems: 20 })),
  granularity: Optional(Type.Integer({ minimum: 1 })),
  timezone: Optional(Type.String()),
});
export type FeedbackStats = Static<typeof FeedbackStats>;
export const FeedbackStatsFound = Type.Object({
  start: Type.String(),
  end: Type.String(),
  granularity: Type.Integer(),
  timezone: Type.String(),
  buckets: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  window_stats: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});

export const FeedbackPaths = Type.Object({
  ...window,
  sample_limit: Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
});
export type FeedbackPaths = Static<typeof FeedbackPaths>;
export const FeedbackPathsFound = Type.Object({
  paths: Type.Array(Type.Object({ json_path: Type.String(), value_type: Type.String() })),
});
