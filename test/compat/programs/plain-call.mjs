const FIELDS = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
  'inputs',
  'output',
  'attributes',
  'summary',
  'wb_user_id',
];

/** The client hands out calls as proxies; these are the fields that a user reads from them. */
export const plainCall = (call) => Object.fromEntries(FIELDS.map((field) => [field, call[field]]));
