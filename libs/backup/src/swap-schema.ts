import type pg from 'pg';
import { quoted } from './schema.js';

/** What was there may be in use, by a server that runs: statements end, and new ones wait for the commit. */
const LOCK_SECONDS = 60;

const TABLES = "SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')";
const FUNCTIONS = 'SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = $1::regnamespace';
/** Without its schema: `require_free_place_name()`. */
const bare = (name: string): string => name.replace(/^("[^"]+"|\w+)\./, '');

/** Puts the tables and functions of one schema in the place of those of the same names in another, in one moment. */
export async function replaceBy(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const namesIn = async (sql: string): Promise<string[]> =>
    (await client.query<{ name: string }>(sql, [quoted(from)])).rows.map(({ name }) => name);
  const tables = await namesIn(TABLES);
  // Names come with their schema where that is not searched.
  await client.query('SET search_path = pg_catalog');
  const functions = (await namesIn(FUNCTIONS)).map(bare);
  const [source, target] = [quoted(from), quoted(to)];
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
    for (const table of tables) await client.query(`DROP TABLE IF EXISTS ${target}.${quoted(table)} CASCADE`);
    for (const name of functions) await client.query(`DROP FUNCTION IF EXISTS ${target}.${name} CASCADE`);
    for (const table of tables) await client.query(`ALTER TABLE ${source}.${quoted(table)} SET SCHEMA ${target}`);
    for (const name of functions) await client.query(`ALTER FUNCTION ${source}.${name} SET SCHEMA ${target}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
