import type pg from 'pg';
import type { TableColumns } from './manifest.js';

/** Of the rows themselves: what the migrations fill in a schema is the program's. */
const TABLES = `
  SELECT c.relname AS name,
         array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'migrations'
   GROUP BY c.relname ORDER BY c.relname`;

const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`;

const SEQUENCES = `
  SELECT quote_ident(c.relname) AS "table", quote_ident(a.attname) AS "column",
         pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
     AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`;

export async function tablesOf(client: pg.ClientBase): Promise<TableColumns[]> {
  return (await client.query<TableColumns>(TABLES)).rows;
}

/** What a table's COPY names: never a column that the database computes. */
export const columnsOf = ({ name, columns }: TableColumns): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Empties all tables and lifts what would look at every row that comes; the result puts that back, and looks once. */
export async function openForRows(client: pg.ClientBase): Promise<() => Promise<void>> {
  const tables = (await tablesOf(client)).map(({ name }) => quoted(name));
  const { rows: keys } = await client.query<Record<'table' | 'name' | 'definition', string>>(FOREIGN_KEYS);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await client.query(`TRUNCATE ${tables.join(', ')}`);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return async () => {
    for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    for (const { table, column, sequence } of (await client.query<Record<string, string>>(SEQUENCES)).rows)
      await client.query(`SELECT setval('${sequence}', (SELECT coalesce(max(${column}), 0) + 1 FROM ${table}), false)`);
  };
}
