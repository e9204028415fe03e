import { ValidationError } from '@heddle/http';
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = Type.String();
const Texts = Type.Array(Text);
const Flags = Type.Record(Type.String(), Type.Boolean());
const named = <T extends Record<string, TSchema>>(fields: T): TObject =>
  Type.Object({ name: maybe(Text), description: maybe(Text), ...fields });

const ChartFields = {
  x_axis: Text,
  y_axis: Text,
  plot_type: maybe(Type.Enum(['scatter', 'line', 'bar'])),
  bin_count: maybe(Type.Integer()),
  aggregation: maybe(Type.Enum(['average', 'sum', 'min', 'max', 'p95', 'p99'])),
  group_keys: maybe(Texts),
  custom_name: maybe(Text),
};

const Message = Type.Object({
  role: Text,
  content: maybe(Type.Union([Text, Type.Array(Type.Object({}))])),
  name: maybe(Text),
  function_call: maybe(Type.Object({})),
  tool_call_id: maybe(Text),
});

const Panel = Type.Object({
  id: Type.String({ minLength: 1 }),
  layout: Type.Object({
    x: Type.Integer({ minimum: 0, maximum: 23 }),
    y: Type.Integer({ minimum: 0 }),
    w: Type.Integer({ minimum: 1, maximum: 24 }),
    h: Type.Integer({ minimum: 1 }),
  }),
  panel_type: Type.Enum(['kpi', 'timeline', 'breakdown']),
  settings: Type.Object({ query: Type.Object({ metric: Type.String({ minLength: 1 }) }), title: maybe(Text) }),
});

/** The classes that a value may be given by name, with the fields that the clients' own definitions check. */
const CLASSES: Readonly<Record<string, TObject>> = {
  Leaderboard: named({
    columns: Type.Array(
      Type.Object({
        evaluation_object_ref: Text,
        scorer_name: Text,
        summary_metric_path: Text,
        should_minimize: maybe(Type.Boolean()),
      }),
    ),
  }),
  AnnotationSpec: named({
    field_schema: Type.Optional(Type.Object({})),
    unique_among_creators: Type.Optional(Type.Boolean()),
    op_scope: maybe(Texts),
  }),
  AlertSpec: named({
    op_scope: maybe(Texts),
    spec: Type.Optional(
      Type.Object({
        source_type: Type.Optional(Type.Enum(['calls', 'spans'])),
        comparison_operator: Type.Optional(Type.Enum(['GREATER_THAN', 'LESS_THAN', 'EQUAL'])),
        threshold: Type.Optional(Type.Number()),
      }),
    ),
  }),
  Provider: named({
    base_url: Type.String({ pattern: '^https?://[^?#]+$' }),
    api_key_name: Text,
    extra_headers: Type.Optional(Type.Record(Type.String(), Text)),
    return_type: Type.Optional(Type.Enum(['openai'])),
  }),
  ProviderModel: named({ provider: Text, max_tokens: Type.Integer(), mode: Type.Optional(Text) }),
  SavedView: named({
    view_type: Text,
    label: Text,
    definition: Type.Object({
      filter: maybe(Type.Object({})),
      query: maybe(Type.Object({ $expr: Type.Object({}) })),
      cols: maybe(Flags),
      columns: maybe(Type.Array(Type.Object({}))),
      column_order: maybe(Texts),
      expand_columns: maybe(Texts),
      pin: maybe(Type.Object({ left: Texts, right: Texts })),
      page: maybe(Type.Integer()),
      page_size: maybe(Type.Integer()),
      charts: maybe(Type.Array(Type.Object(ChartFields))),
    }),
  }),
  ChartConfig: Type.Object(ChartFields),
  ComparisonView: named({
    label: Text,
    definition: Type.Object({
      evaluation_call_ids: Texts,
      selected_metrics: maybe(Texts),
      column_visibility: maybe(Flags),
    }),
  }),
  LLMStructuredCompletionModel: named({
    llm_model_id: Text,
    default_params: Type.Optional(
      Type.Object({
        messages_template: maybe(Type.Array(Message)),
        temperature: maybe(Type.Number()),
        top_p: maybe(Type.Number()),
        max_tokens: maybe(Type.Integer()),
        stop: maybe(Texts),
        response_format: maybe(Type.Enum(['json_object', 'json_schema', 'text'])),
      }),
    ),
  }),
  AgentDashboard: named({ label: Text, definition: Type.Object({ panels: Type.Array(Panel) }) }),
};

const checks = new Map(Object.entries(CLASSES).map(([name, schema]) => [name, Compile(schema)]));

/**
 * Whether a value may be of a class that the clients build in.
 * @throws ValidationError for a class that isn't there, and at the first field that is wrong
 */
export function checkBuiltinClass(className: string, val: unknown, loc: (string | number)[]): void {
  const check = checks.get(className);
  if (!check) {
    const at = [...loc.slice(0, -1), 'builtin_object_class'];
    throw ValidationError.at(at, `must be one of: ${[...checks.keys()].join(', ')}`, 'unknown_class');
  }
  if (check.Check(val)) return;
  const [error] = check.Errors(val);
  const place = (error?.instancePath ?? '').split('/').slice(1);
  throw ValidationError.at([...loc, ...place], `${className}: ${error?.message ?? 'is not valid'}`, 'object_class');
}
