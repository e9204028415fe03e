import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { DatabaseUnusableError } from './database.errors.js';
import { placeOf, requireSupportedVersion, type ServerVersion } from './server-version.js';

/** Two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_713_402_113;

/** Checks that the server can be reached and is new enough, then brings its schema up to date. */
export async function migrate(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<ServerVersion>(
      "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
    );
    requireSupportedVersion(rows[0]!, url);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2, applicationName: 'heddle-migrate' }));
    await dataSource.initialize();
    try {
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : (error as Error).message;
    throw new DatabaseUnusableError(`PostgreSQL at ${placeOf(url)} can't be reached: ${reason}`, { cause: error });
  }
}
