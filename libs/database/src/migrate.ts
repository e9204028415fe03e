import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { DatabaseUnusableError } from './database.errors.js';
import { migrations } from './migrations/index.js';
import { placeOf, requireSupportedVersion, type ServerVersion } from './server-version.js';

/** Two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_713_402_113;

export interface MigrateOptions {
  /** Where the tables lie; default: where the server looks. */
  schema?: string;
  /** Not further than these. */
  only?: readonly string[];
}

/** In their order. */
export const migrationNames = (): string[] => migrations.map(({ name }) => name);

/** Checks that the server can be reached and is new enough, then brings its schema up to date. */
export async function migrate(url: string, { schema, only }: MigrateOptions = {}): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<ServerVersion>(
      "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
    );
    requireSupportedVersion(rows[0]!, url);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const options = dataSourceOptions({ url, poolSize: 2, applicationName: 'heddle-migrate' });
    const dataSource = new DataSource({
      ...options,
      ...(only ? { migrations: migrations.filter(({ name }) => only.includes(name)) } : {}),
      ...(schema ? { extra: { options: `-c search_path=${schema}` } } : {}),
    } as DataSourceOptions);
    await dataSource.initialize();
    try {
      await refuseNewerSchema(dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await client.end();
  }
}

/** An older program would read and write rows whose meaning it doesn't know. */
async function refuseNewerSchema(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<{ there: boolean }[]>("SELECT to_regclass('migrations') IS NOT NULL AS there");
  if (!found?.there) return;
  const done = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  const unknown = done.map(({ name }) => name).filter((name) => !migrationNames().includes(name));
  if (unknown.length === 0) return;
  const which = `it has ${unknown.join(', ')}`;
  throw new DatabaseUnusableError(
    `A newer Heddle has used this database (${which}): update this one, or restore a backup`,
  );
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
