/**
 * The variables of webhook payloads (`${alias}`), but for the keys of `${artifact_metadata.<KEY>}`. Secrets stand beside
 * them in payloads (`${MY_SECRET}`), so that none may have the name of one; case counts.
 */
export const PAYLOAD_VARIABLES = [
  'alert_severity',
  'alert_text',
  'alert_title',
  'alias',
  'artifact_collection_name',
  'artifact_version',
  'artifact_version_index',
  'artifact_version_string',
  'automation_name',
  'entity_name',
  'event_author',
  'event_type',
  'metric_current_status',
  'metric_filter',
  'metric_filter_short',
  'metric_name',
  'metric_value',
  'metric_values',
  'model_id',
  'model_name',
  'project_name',
  'run_id',
  'run_name',
  'run_unique_name',
  'run_status',
  'tag',
  'threshold',
  'training_job_id',
  'training_job_state',
] as const;

export type PayloadVariable = (typeof PAYLOAD_VARIABLES)[number];

/** The webhook's access token in a payload: `${ACCESS_TOKEN}`. */
export const ACCESS_TOKEN = 'ACCESS_TOKEN';
/** The artifact version's metadata in a payload: `${artifact_metadata.<KEY>}`. */
export const ARTIFACT_METADATA = 'artifact_metadata';

/** What no secret may be called. */
export const RESERVED_NAMES: readonly string[] = [...PAYLOAD_VARIABLES, ACCESS_TOKEN, ARTIFACT_METADATA];
