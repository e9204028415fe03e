import type { ArchivedTable } from '@heddle/database';
import { MOVING_TABLES, tableOf } from './moving-tables.js';

/**
 * Settings of the transaction, in place of parameters, which COPY takes none of: `heddle.project` is the project's id, and
 * where runs are chosen `heddle.<table>` the ids of the rows of a table that go with them.
 */
export const PROJECT_ID = "current_setting('heddle.project')::integer";
const chosenIds = (table: string): string => `current_setting('heddle.${table}')::uuid[]`;

/** Whether a row `t` of the table is the project's. */
export function isOfProject(table: ArchivedTable): string {
  const { owner } = table;
  if ('project' in owner) return `t.${owner.project} = ${PROJECT_ID}`;
  return `t.${owner.column} IN (SELECT t.id FROM ${owner.of} t WHERE ${isOfProject(tableOf(owner.of))})`;
}

/** Whether a row `t` of the table moves. */
export function moves(table: ArchivedTable, areRunsChosen: boolean): string {
  const { owner, name, where } = table;
  const conditions =
    'project' in owner
      ? [isOfProject(table)]
      : [`t.${owner.column} IN (SELECT t.id FROM ${owner.of} t WHERE ${moves(tableOf(owner.of), areRunsChosen)})`];
  if (where) conditions.push(where);
  if (areRunsChosen && table.hasId) conditions.push(`t.id = ANY (${chosenIds(name)})`);
  return conditions.join(' AND ');
}

/** Rows as lines of JSON. */
export function rowsSql(table: ArchivedTable, columns: readonly string[], areRunsChosen: boolean): string {
  const list = columns.map((column) => `t.${column}`).join(', ');
  const order = table.renumbers ? ` ORDER BY t.${table.renumbers}` : '';
  return `SELECT row_to_json(r)::text FROM (
    SELECT ${list} FROM ${table.name} t WHERE ${moves(table, areRunsChosen)}${order}) r`;
}

export const movingTables = (areRunsChosen: boolean): ArchivedTable[] =>
  MOVING_TABLES.filter(({ onlyWhole }) => !(areRunsChosen && onlyWhole));

/** The SHA-256s of all contents that rows name. */
export function contentsSql(areRunsChosen: boolean): string {
  return movingTables(areRunsChosen)
    .filter(({ content }) => content)
    .map((table) => `SELECT t.${table.content} AS sha256 FROM ${table.name} t WHERE ${moves(table, areRunsChosen)}`)
    .join(' UNION ');
}

/** COPY's one form in which JSON is itself: it holds no such characters. */
export const JSON_LINES = "(FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')";
