import { Client, DatabaseError } from 'pg';
import { errorFromOutput } from './embedded-postgres.errors.js';
import type { PostmasterState } from './postmaster-pid.js';

/** The superuser: for tests and maintenance. */
export const ADMIN_ROLE = 'postgres';
/** The database, and the role that owns it and nothing else: a hole in a query must not become a shell. */
export const APPLICATION = 'heddle';

export interface DatabaseUrls {
  url: string;
  adminUrl: string;
}

export function databaseUrls(port: number, password: string): DatabaseUrls {
  const at = `${password}@127.0.0.1:${port}`;
  return {
    url: `postgres://${APPLICATION}:${at}/${APPLICATION}`,
    adminUrl: `postgres://${ADMIN_ROLE}:${at}/${ADMIN_ROLE}`,
  };
}

/**
 * - `ready`: the application can use it
 * - `unprepared`: it answers, but whoever started it did not come to make the application's database
 * - `refused`: it does not know our password
 * - `unreachable`: it does not answer (yet)
 */
export type DatabaseAnswer = 'ready' | 'unprepared' | 'refused' | 'unreachable';

const WRONG_PASSWORD = '28P01';

/** Asks the server that says it is there: only an answer to our password proves that it is ours and well. */
export async function askDatabase(state: PostmasterState, password: string): Promise<DatabaseAnswer> {
  const { adminUrl } = databaseUrls(state.port, password);
  try {
    return await withClient(adminUrl, async (client) => ((await hasDatabase(client)) ? 'ready' : 'unprepared'));
  } catch (error) {
    return error instanceof DatabaseError && error.code === WRONG_PASSWORD ? 'refused' : 'unreachable';
  }
}

/** Makes the application's role and database. May run again after an interruption; needs the start lock. */
export async function prepareDatabase(state: PostmasterState, password: string): Promise<void> {
  const { adminUrl } = databaseUrls(state.port, password);
  try {
    await withClient(adminUrl, createApplication(password));
  } catch (error) {
    throw errorFromOutput('START_FAILED', "The application's database could not be made", String(error));
  }
}

function createApplication(password: string) {
  return async (client: Client): Promise<void> => {
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APPLICATION]);
    if (roles.rowCount === 0)
      await client.query(`CREATE ROLE ${APPLICATION} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    if (!(await hasDatabase(client))) await client.query(`CREATE DATABASE ${APPLICATION} OWNER ${APPLICATION}`);
  };
}

async function hasDatabase(client: Client): Promise<boolean> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [APPLICATION]);
  return found.rowCount === 1;
}

async function withClient<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // A server that goes away between two queries is reported by the next one.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
