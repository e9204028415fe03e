import Type, { type Static, type TSchema } from 'typebox';
import { CallFilter, MAX_FILTER_VALUES } from '../calls/call-filter.js';
import { ProjectId } from '../request/page.schema.js';

/** Each is a small object in memory until the answer is made. */
const MAX_CALLS = 100_000;
export const DEFAULT_CALLS = 10_000;

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const CallLimit = Type.Integer({ minimum: 1, maximum: MAX_CALLS, default: DEFAULT_CALLS });

export const CallsUsage = Type.Object({
  project_id: ProjectId,
  call_ids: Type.Array(Type.String(), { maxItems: MAX_FILTER_VALUES }),
  include_costs: Type.Optional(Type.Boolean({ default: false })),
  limit: Type.Optional(
    Type.Integer({ ...CallLimit, description: 'Most calls to look at, descendants included. More of them: 422.' }),
  ),
});
export type CallsUsage = Static<typeof CallsUsage>;

/** Beside `filter` and `query`, which are read as those of `/calls/stream_query`. */
export const TraceUsageFields = Type.Object({
  include_costs: CallsUsage.properties.include_costs,
  limit: Type.Optional(Type.Integer({ ...CallLimit, description: 'Only the first so many, by start, are looked at.' })),
});
export const TraceUsage = Type.Object({
  project_id: ProjectId,
  filter: nullable(CallFilter),
  query: nullable(Type.Object({ $expr: Type.Object({}) }, { description: 'As that of `/calls/stream_query`' })),
  ...TraceUsageFields.properties,
});

const Count = Type.Integer({ minimum: 0 });
const Cost = nullable(Type.Number({ description: 'Null unless costs were asked for' }));
const ModelUsage = Type.Object({
  requests: Count,
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
  prompt_tokens_total_cost: Cost,
  completion_tokens_total_cost: Cost,
  cache_read_input_tokens_total_cost: Cost,
  cache_creation_input_tokens_total_cost: Cost,
});

export const UsageFound = Type.Object({
  call_usage: Type.Record(Type.String(), Type.Record(Type.String(), ModelUsage), {
    description: 'By call id, then by model: what the call and its descendants used',
  }),
  unfinished_call_ids: Type.Array(Type.String(), { description: 'Running calls: theirs is not final' }),
});
