import { type ArchivedTable, ROW_CHECKS } from '@heddle/database';

const IN_PROJECT = { owner: { project: 'project_id' }, onlyWhole: true } as const;
const BY_CONTENT = { ...IN_PROJECT, isShared: true } as const;
const payloads = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [`its ${column}`, ROW_CHECKS.isJson(column)]));
const differs = (...columns: string[]): string =>
  columns.map((column) => `t.${column} IS DISTINCT FROM s.${column}`).join(' OR ');

/** What moves of traces. What was deleted doesn't. */
export const TRACE_TABLES: readonly ArchivedTable[] = [
  {
    ...BY_CONTENT,
    name: 'calls',
    where: 't.deleted_at IS NULL',
    unique: {
      columns: ['id'],
      noun: 'call',
      label: 's.id',
      differs: differs('trace_id', 'parent_id', 'started_at', 'op_name'),
    },
    // The run by the name that it has in its new place.
    becomes: {
      wb_run_id: `CASE WHEN starts_with(s.wb_run_id, current_setting('heddle.source') || '/')
        THEN current_setting('heddle.target') || substr(s.wb_run_id, length(current_setting('heddle.source')) + 1)
        ELSE s.wb_run_id END`,
    },
    checks: payloads('attributes', 'inputs', 'output', 'summary', 'otel_dump'),
  },
  {
    ...BY_CONTENT,
    name: 'trace_objects',
    where: 't.deleted_at IS NULL',
    renumbers: 'published',
    unique: {
      columns: ['object_id', 'kind', 'version_index'],
      noun: 'object version',
      label: "s.object_id || ':v' || s.version_index",
      differs: differs('digest'),
    },
    checks: { 'its kind': "s.kind IN ('object', 'op')", ...payloads('val') },
  },
  { ...BY_CONTENT, name: 'trace_object_tags' },
  {
    ...BY_CONTENT,
    name: 'trace_object_aliases',
    unique: {
      columns: ['object_id', 'alias'],
      noun: 'alias of an object',
      label: "s.object_id || ':' || s.alias",
      differs: differs('digest'),
    },
  },
  { ...BY_CONTENT, name: 'trace_tables' },
  { ...BY_CONTENT, name: 'trace_table_chunks' },
  { ...BY_CONTENT, name: 'trace_table_rows', checks: payloads('val') },
  {
    ...BY_CONTENT,
    name: 'trace_files',
    checks: {
      // In the clients' alphabet: base64url with X for - and Y for _.
      'its content': `s.size_bytes = 0 OR s.digest IN (
        SELECT c.file_digest FROM in_trace_file_chunks c GROUP BY c.file_digest
        HAVING translate(encode(sha256(string_agg(c.bytes, ''::bytea ORDER BY c.position)), 'base64'), '+/=', 'XY') = c.file_digest)`,
    },
  },
  { ...BY_CONTENT, name: 'trace_file_chunks' },
  {
    ...BY_CONTENT,
    name: 'feedback',
    unique: { columns: ['id'], noun: 'feedback', label: 's.id', differs: differs('weave_ref', 'feedback_type') },
    checks: payloads('payload', 'details'),
  },
  { ...IN_PROJECT, name: 'model_prices', hasId: true },
];
