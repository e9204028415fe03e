import Type, { type TObject, type TSchema } from 'typebox';
import type { EventType } from './event-types.js';

/** Longest pattern, in characters. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_WINDOW = 1000;

const UNANCHORED = 'RE2 syntax, found anywhere in it: use `^` and `$` to match all of it';

const pattern = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_PATTERN_LENGTH,
    description: `Regular expression for ${what}. ${UNANCHORED}`,
  });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const oneOf = <T extends string[]>(values: readonly [...T], description?: string) =>
  Type.Enum(values, { type: 'string', ...(description && { description }) });

const COLLECTION = {
  collection_regex: optional(pattern("the collection's name")),
  artifact_type: optional(
    Type.String({ minLength: 1, maxLength: 128, description: "The collection's type, e.g. `model`" }),
  ),
};
const TAG = { tag_regex: optional(pattern('the tag')) };
const RUN = {
  user: optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Username: only runs that this user created' }),
  ),
  run_name_regex: optional(pattern("the run's display name")),
};

const METRIC = { name: Type.String({ minLength: 1, maxLength: 256, description: 'Name of the metric' }) };
const AGGREGATED = {
  ...METRIC,
  agg_op: optional(oneOf(['MIN', 'MAX', 'AVERAGE'], 'What is taken of a window. Without it: its newest value')),
  window_size: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW,
      default: 1,
      description: 'How many of the newest values are aggregated',
    }),
  ),
};
const DIRECTION = optional(oneOf(['INCREASE', 'DECREASE', 'ANY'], 'Which way the value must move. Default: `ANY`'));

const states = <T extends string[]>(values: readonly [...T]) =>
  Type.Array(oneOf(values), { minItems: 1, maxItems: values.length, description: 'Any of these' });

const severities = Type.Array(oneOf(['INFO', 'WARN', 'ERROR']), {
  minItems: 1,
  maxItems: 3,
  description: 'Any of these. Default: all',
});

const filter = <P extends Record<string, TSchema>>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false });

/** The inputs of each event type, all of them fields of `filter`. */
export const FILTER_SCHEMAS = {
  LINK_ARTIFACT: filter(COLLECTION),
  UNLINK_ARTIFACT: filter(COLLECTION),
  CREATE_ARTIFACT: filter(COLLECTION),
  ADD_ARTIFACT_ALIAS: filter({ alias_regex: pattern('the alias'), ...COLLECTION }),
  ADD_ARTIFACT_TAG: filter({ ...TAG, ...COLLECTION }),
  REMOVE_ARTIFACT_TAG: filter({ ...TAG, ...COLLECTION }),
  ADD_COLLECTION_TAG: filter({ ...TAG, ...COLLECTION }),
  REMOVE_COLLECTION_TAG: filter({ ...TAG, ...COLLECTION }),
  RUN_METRIC: filter({
    ...AGGREGATED,
    cmp_op: oneOf(['>', '>=', '<', '<=', '=', '!='], 'How the value compares to the threshold'),
    threshold: Type.Number(),
    ...RUN,
  }),
  RUN_METRIC_CHANGE: filter({
    ...AGGREGATED,
    prior_window_size: optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WINDOW,
        description: 'How many values before those they are compared with. Default: `window_size`',
      }),
    ),
    change_type: oneOf(['ABSOLUTE', 'RELATIVE'], '`RELATIVE`: as a fraction of the value before, e.g. 0.1 for 10 %'),
    change_dir: DIRECTION,
    change_amount: Type.Number({ minimum: 0, description: 'Smallest change' }),
    ...RUN,
  }),
  RUN_METRIC_ZSCORE: filter({
    ...METRIC,
    window_size: optional(
      Type.Integer({
        minimum: 2,
        maximum: MAX_WINDOW,
        default: 30,
        description: 'How many values before the newest one it is compared with',
      }),
    ),
    threshold: optional(
      Type.Number({ exclusiveMinimum: 0, default: 3, description: 'How many standard deviations from their mean' }),
    ),
    change_dir: DIRECTION,
    ...RUN,
  }),
  RUN_METRIC_NOT_FINITE: filter({ ...METRIC, ...RUN }),
  RUN_STATE: filter({ states: states(['RUNNING', 'FINISHED', 'FAILED', 'CRASHED']), ...RUN }),
  RUN_ALERT: filter({
    severities: optional(severities),
    title_regex: optional(pattern("the alert's title")),
    ...RUN,
  }),
  TRAINING_JOB_STATE: filter({ states: states(['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED']), ...RUN }),
} satisfies Record<EventType, TObject>;
