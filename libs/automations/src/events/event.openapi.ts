import type { SchemaObject } from './schema-object.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import { FILTER_SCHEMAS } from './filter-schemas.js';

const ONCE = 'Once for each run in 24 hours. Project and team scope';
const FINITE_ONLY = 'NaN and infinite values count for nothing, as if nobody had logged them.';

/** When an event happens, for the people who choose one. */
export const WHEN: Record<EventType, string> = {
  LINK_ARTIFACT: 'A version is linked into a registry',
  UNLINK_ARTIFACT: 'A version is taken out of a registry',
  CREATE_ARTIFACT: 'A new version of an artifact is committed. Project and team scope',
  ADD_ARTIFACT_ALIAS: 'An alias is put on a version, or moves to it',
  ADD_ARTIFACT_TAG: 'A tag is added to a version',
  REMOVE_ARTIFACT_TAG: 'A tag is taken from a version',
  ADD_COLLECTION_TAG: 'A tag is added to a collection',
  REMOVE_COLLECTION_TAG: 'A tag is taken from a collection',
  RUN_METRIC: `A metric of a run compares to a threshold, by its newest value or over a window: at any point that is logged. ${FINITE_ONLY} ${ONCE}`,
  RUN_METRIC_CHANGE: `A metric of a run moved by some amount between two windows. ${FINITE_ONLY} ${ONCE}`,
  RUN_METRIC_ZSCORE: `A value of a metric lies far from the mean of those before. ${FINITE_ONLY} ${ONCE}`,
  RUN_METRIC_NOT_FINITE: `A value of a metric is NaN, Infinity or -Infinity. ${ONCE}`,
  RUN_STATE: 'A run starts, finishes, fails, or falls silent (crashed). Project and team scope',
  RUN_ALERT: "A run's program calls `run.alert` of the wandb SDK. Project and team scope",
  TRAINING_JOB_STATE: 'A training job changes its state. Project and team scope',
};

const hasRequiredInput = (type: EventType): boolean => (FILTER_SCHEMAS[type].required ?? []).length > 0;

/** The event of an automation: one form for each event type. */
export const EVENT_SCHEMA: SchemaObject = {
  description: 'What is watched. All inputs of the filter must hold.',
  oneOf: EVENT_TYPES.map((type) => ({
    type: 'object',
    title: type,
    description: WHEN[type],
    required: hasRequiredInput(type) ? ['event_type', 'filter'] : ['event_type'],
    properties: {
      event_type: { type: 'string', enum: [type] },
      filter: { ...FILTER_SCHEMAS[type] } as unknown as SchemaObject,
    },
  })),
};

/** A filter that could be somebody's, for each event type. */
export const FILTER_EXAMPLES: Record<EventType, Record<string, unknown>> = {
  LINK_ARTIFACT: { collection_regex: '^chat-' },
  UNLINK_ARTIFACT: {},
  CREATE_ARTIFACT: { artifact_type: 'model' },
  ADD_ARTIFACT_ALIAS: { alias_regex: '^prod', collection_regex: '^chat-model$' },
  ADD_ARTIFACT_TAG: { tag_regex: '^approved$' },
  REMOVE_ARTIFACT_TAG: { tag_regex: '^approved$' },
  ADD_COLLECTION_TAG: { tag_regex: 'public' },
  REMOVE_COLLECTION_TAG: { tag_regex: 'public' },
  RUN_METRIC: {
    name: 'val/reward',
    agg_op: 'AVERAGE',
    window_size: 5,
    cmp_op: '>=',
    threshold: 0.9,
    run_name_regex: '^nightly',
  },
  RUN_METRIC_CHANGE: {
    ...{ name: 'loss', agg_op: 'AVERAGE', window_size: 10, prior_window_size: 50 },
    ...{ change_type: 'RELATIVE', change_dir: 'INCREASE', change_amount: 0.2 },
  },
  RUN_METRIC_ZSCORE: { name: 'grad_norm', window_size: 30, threshold: 3, change_dir: 'INCREASE' },
  RUN_METRIC_NOT_FINITE: { name: 'loss', run_name_regex: '^nightly' },
  RUN_STATE: { states: ['FAILED'], user: 'ada' },
  RUN_ALERT: { severities: ['ERROR'], title_regex: '^low accuracy' },
  TRAINING_JOB_STATE: { states: ['FINISHED', 'FAILED'] },
};
