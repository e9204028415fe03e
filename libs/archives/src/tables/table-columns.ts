import type pg from 'pg';
import { MOVING_TABLES } from './moving-tables.js';

/** All but what the database makes by itself. */
const COLUMNS = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                       AND a.attgenerated = '' AND a.attidentity = ''
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
   GROUP BY c.relname`;

/** The columns that the tables which move have in this database, so that a new one moves by itself. */
export async function columnsOfTables(client: pg.ClientBase): Promise<Map<string, string[]>> {
  const names = MOVING_TABLES.map(({ name }) => name);
  const { rows } = await client.query<{ name: string; columns: string[] }>(COLUMNS, [names]);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
