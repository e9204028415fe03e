import type pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';

export interface DataSourceSettings {
  url: string;
  poolSize: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
}

/** So that a server that vanished without a word is missed within half a minute. The system's own time is hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Entities, migrations and pool, said once. Nothing ever synchronises the schema by itself. */
export function dataSourceOptions(settings: DataSourceSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.url,
    applicationName: settings.applicationName,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize: settings.poolSize,
    connectTimeoutMS: 5000,
    extra: { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS },
  };
}

/** The driver's own pool, for what an ORM is too slow for: bulk writes of Buffers, and cursors. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}
