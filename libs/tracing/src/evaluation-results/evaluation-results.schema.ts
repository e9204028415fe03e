import Type, { type Static, type TSchema } from 'typebox';
import { Limit, Offset } from '../request/page.schema.js';

const Optional = Type.Optional;
const Text = Type.String();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const MaybeText = orNull(Text);
const MaybeNumber = orNull(Type.Number());
const flag = (description: string) => Optional(Type.Boolean({ description }));

const MAX_EVALUATIONS = 1000;
const Ids = Optional(Type.Array(Text, { maxItems: MAX_EVALUATIONS }));

const SortTerm = Type.Object({
  field: Type.String({ maxLength: 2000, description: '`scores.NAME`, `inputs.PATH` or `output.PATH`' }),
  direction: Type.Enum(['asc', 'desc']),
  evaluation_call_id: Optional(orNull(Text)),
  mode: Optional(
    Type.Enum(['value', 'difference'], {
      description: '`difference`: of scores, how far the evaluations lie apart. Default: value',
    }),
  ),
});
export type SortTerm = Static<typeof SortTerm>;

const Filter = Type.Object({
  evaluation_call_id: Optional(orNull(Text)),
  query: Type.Object(
    { $expr: Type.Unknown() },
    { description: 'The same language as for calls, over the fields of `sort_by` and `row_digest`' },
  ),
});

/** Without `filters`, whose conditions are read from the body. */
export const QueryResults = Type.Object({
  evaluation_call_ids: Ids,
  evaluation_run_ids: Ids,
  require_intersection: flag('Only rows that all evaluations have'),
  include_raw_data_rows: flag('With `raw_data_row`: what the models were given, or the reference to it'),
  resolve_row_refs: flag('What a reference names instead of itself'),
  include_rows: flag('Default: true'),
  include_summary: flag('With `summary`'),
  summary_require_intersection: flag('The same as require_intersection, which it defaults to, for the summary'),
  include_predict_and_score_children: flag('What is known of calls of models and scorers. Default: true'),
  include_costs: flag('What the calls of models cost, scorers not among them'),
  sort_by: Optional(Type.Array(SortTerm, { maxItems: 20, description: 'Default: by row_digest' })),
  filter_logic_operator: Optional(
    Type.Enum(['and', 'or'], {
      description: 'Whether all filters must hold, or those of one evaluation. Default: or',
    }),
  ),
  limit: Optional(Limit),
  offset: Optional(Offset),
});
export type QueryResults = Static<typeof QueryResults>;
export const MAX_FILTERS = 100;
export const QueryResultsBody = Type.Intersect([
  QueryResults,
  Type.Object({ filters: Optional(orNull(Type.Array(Filter, { maxItems: MAX_FILTERS }))) }),
]);

const Trial = Type.Object({
  predict_and_score_call_id: Text,
  predict_call_id: MaybeText,
  model_output: Type.Unknown(),
  scores: Type.Record(Text, Type.Unknown()),
  model_latency_seconds: MaybeNumber,
  total_tokens: orNull(Type.Integer()),
  total_cost: MaybeNumber,
  scorer_call_ids: Type.Record(Text, Text),
  genai_span_ref: orNull(Type.Array(Type.Object({ trace_id: Text, span_id: Text }))),
});
const Row = Type.Object({
  row_digest: Text,
  raw_data_row: Type.Unknown(),
  evaluations: Type.Array(Type.Object({ evaluation_call_id: Text, trials: Type.Array(Trial) })),
});
const ScorerStats = Type.Object({
  scorer_key: Text,
  path: orNull(Type.String({ description: 'Of a number, a text or a boolean within what the scorer said' })),
  value_type: orNull(Type.Enum(['binary', 'continuous', 'text'])),
  trial_count: Type.Integer(),
  numeric_count: Type.Integer(),
  numeric_mean: MaybeNumber,
  pass_true_count: Type.Integer(),
  pass_known_count: Type.Integer(),
  pass_rate: MaybeNumber,
  pass_signal_coverage: MaybeNumber,
});
export type ScorerStats = Static<typeof ScorerStats>;
const Summary = Type.Object({
  row_count: Type.Integer(),
  evaluations: Type.Array(
    Type.Object({
      evaluation_call_id: Text,
      trial_count: Type.Integer(),
      scorer_stats: Type.Array(ScorerStats),
      predict_total_tokens: orNull(Type.Integer()),
      predict_total_cost: MaybeNumber,
      evaluation_ref: MaybeText,
      model_ref: MaybeText,
      display_name: MaybeText,
      trace_id: MaybeText,
      started_at: MaybeText,
    }),
  ),
});
export const ResultsFound: TSchema = Type.Object({
  rows: Type.Array(Row),
  total_rows: Type.Integer({ description: 'Of all pages; 0 without rows' }),
  summary: orNull(Summary),
  warnings: Type.Array(Text),
});
