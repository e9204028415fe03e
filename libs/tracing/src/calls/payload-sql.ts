import type { PlaceAlias, QuerySql } from '../query/query-sql.js';
import type { Payload } from './call-field.js';

/**
 * What is at a path in a payload of `calls c`. A payload that PostgreSQL's JSON functions fail on has a sanitised copy in
 * its `_search` column; all others are read from the text itself.
 */
export const payloadAt = (column: Payload, path: readonly string[], sql: QuerySql): PlaceAlias =>
  sql.place(`COALESCE(c.${column}_search, c.${column})::json`, path);
