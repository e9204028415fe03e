import type { ArchivedTable } from '@heddle/database';
import { isOfProject, PROJECT_ID } from './scope-sql.js';

/** Where rows of a table wait, as they came. */
export const waiting = (table: string): string => `in_${table}`;

/** For the transaction: lines of one table, what ids became, and which contents came. */
export const LANDING = `
  CREATE TEMP TABLE lines (line text) ON COMMIT DROP;
  CREATE TEMP TABLE came (sha256 text PRIMARY KEY) ON COMMIT DROP;
  CREATE TEMP TABLE moved (kind text, old uuid, new uuid, is_there boolean, PRIMARY KEY (kind, old)) ON COMMIT DROP`;

export const readLines = ({ name }: ArchivedTable): string =>
  `CREATE TEMP TABLE ${waiting(name)} ON COMMIT DROP AS
     SELECT r.* FROM lines, json_populate_record(NULL::${name}, line::json) r;
   TRUNCATE lines`;

/**
 * An id becomes the same one for each archive of it that comes to this project, and another in each project. Where it came
 * from it stays what it is.
 */
export function noteIds(table: ArchivedTable): string {
  const digest = `encode(substr(sha256(convert_to(${PROJECT_ID} || ' ' || s.id, 'UTF8')), 1, 16), 'hex')`;
  return `
    INSERT INTO moved
    SELECT '${table.name}', s.id, d.id, EXISTS (SELECT FROM ${table.name} t WHERE t.id = d.id)
      FROM ${waiting(table.name)} s
      CROSS JOIN LATERAL (SELECT coalesce(
        (SELECT t.id FROM ${table.name} t WHERE t.id = s.id AND ${isOfProject(table)}),
        overlay(overlay(${digest} PLACING '8' FROM 13) PLACING 'a' FROM 17)::uuid) AS id) d`;
}

/** Rows that aren't there yet, as they will be. */
export function landed(table: ArchivedTable, columns: readonly string[]): string {
  const { name, owner, links = {}, becomes = {}, hasId } = table;
  const joins: string[] = [];
  const values = new Map<string, string>();
  if ('project' in owner) values.set(owner.project, PROJECT_ID);
  else {
    // All or nothing of a run or version: what belongs to one that is there isn't looked at.
    joins.push(
      `JOIN moved o ON o.kind = '${owner.of}' AND o.old = s.${owner.column}${hasId ? '' : ' AND NOT o.is_there'}`,
    );
    values.set(owner.column, 'o.new');
  }
  if (hasId) {
    joins.push(`JOIN moved self ON self.kind = '${name}' AND self.old = s.id AND NOT self.is_there`);
    values.set('id', 'self.new');
  }
  for (const [column, { to, isOptional }] of Object.entries(links)) {
    joins.push(
      `${isOptional ? 'LEFT ' : ''}JOIN moved l_${column} ON l_${column}.kind = '${to}' AND l_${column}.old = s.${column}`,
    );
    values.set(column, `l_${column}.new`);
  }
  for (const [column, value] of Object.entries(becomes)) values.set(column, value);
  const list = columns.map((column) => `${values.get(column) ?? `s.${column}`} AS ${column}`).join(', ');
  return `SELECT ${list} FROM ${waiting(name)} s ${joins.join(' ')}`;
}

/** Names of rows that are taken by something else. */
export function conflicts(table: ArchivedTable, columns: readonly string[]): string | null {
  const { name, unique, owner } = table;
  if (!unique) return null;
  const same = unique.columns.map((column) => `t.${column} = s.${column}`);
  if ('project' in owner) same.push(`t.${owner.project} = ${PROJECT_ID}`);
  return `SELECT DISTINCT ${unique.label} AS label FROM (${landed(table, columns)}) s
    JOIN ${name} t ON ${same.join(' AND ')} WHERE ${unique.differs} ORDER BY label LIMIT 10`;
}

/** @returns SQL that finds a row of which the check isn't true */
export const violations = ({ name }: ArchivedTable, check: string): string =>
  `SELECT FROM ${waiting(name)} s WHERE (${check}) IS NOT TRUE LIMIT 1`;

export const missingContents = ({ name, content }: ArchivedTable): string =>
  `SELECT s.${content} AS sha256 FROM ${waiting(name)} s
    WHERE NOT EXISTS (SELECT FROM came WHERE came.sha256 = s.${content}) LIMIT 1`;

export function insertLanded(table: ArchivedTable, columns: readonly string[]): string {
  const { name, renumbers, isShared, onConflict } = table;
  const filled = columns.filter((column) => column !== renumbers);
  const order = renumbers ? ` ORDER BY s.${renumbers}` : '';
  const otherwise = onConflict ?? (isShared ? 'ON CONFLICT DO NOTHING' : '');
  return `INSERT INTO ${name} (${filled.join(', ')})
    SELECT ${filled.map((column) => `s.${column}`).join(', ')} FROM (${landed(table, columns)}) s${order} ${otherwise}`;
}

/** Counters of rows that are there already. */
export function growThose({ name, grows = [] }: ArchivedTable): string | null {
  if (grows.length === 0) return null;
  const sets = grows.map((column) => `${column} = greatest(t.${column}, s.${column})`).join(', ');
  return `UPDATE ${name} t SET ${sets} FROM ${waiting(name)} s
    JOIN moved m ON m.kind = '${name}' AND m.old = s.id AND m.is_there WHERE t.id = m.new`;
}
