import { ValidationError } from '@heddle/http';
import type { QuerySql } from './query-sql.js';
import { parseTimestamp } from '../values/timestamp.js';

/** A literal that is compared with a time: ISO 8601 or Unix seconds, to the microsecond. */
export function timeLiteral(text: string, sql: QuerySql, loc: (string | number)[]): string {
  const micros = text.length <= 100 ? parseTimestamp(text) : undefined;
  if (micros === undefined) throw ValidationError.at(loc, 'must be an ISO 8601 time or Unix seconds', 'datetime');
  return `('epoch'::timestamptz + ${sql.bind(micros.toString(), 'bigint')} * interval '1 microsecond')`;
}

/** SQL: a time as ISO 8601 text in UTC, with microseconds. */
export const isoTime = (sql: string): string => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
