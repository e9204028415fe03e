import type { QuerySql } from '../query/query-sql.js';
import type { ComputedField } from './call-field.js';
import { payloadAt } from './payload-sql.js';

/** The SQL of what `summaryText` adds to a call it reads; a query and an answer must say the same. */
export function computedSql(name: ComputedField, sql: QuerySql): string {
  switch (name) {
    case 'status':
      return statusSql(`${payloadAt('summary', ['status_counts', 'error'], sql)}.number`);
    case 'latency_ms':
      return 'trunc(extract(epoch FROM c.ended_at - c.started_at) * 1000)';
    case 'trace_name':
      return TRACE_NAME;
    case 'display_name':
      return `NULLIF(c.display_name, '')`;
  }
}

const statusSql = (descendantErrors: string): string => `(CASE
  WHEN c.exception <> '' THEN 'error'
  WHEN c.ended_at IS NULL THEN 'running'
  WHEN ${descendantErrors} > 0 THEN 'descendant_error'
  ELSE 'success' END)`;

const TRACE_NAME = `COALESCE(NULLIF(c.display_name, '') COLLATE "C",
  substring(c.op_name FROM '^weave(?:-trace-internal)?:///.*/op/([^/:]+)(?::[^/]*)?$'), c.op_name, '')`;
