import type pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { boundedClient, STATEMENT_LIMITS } from './bounded-client.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';

export interface DataSourceSettings {
  url: string;
  poolSize: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Milliseconds for a statement, whoever sends it. Absent: as long as it takes, for migrations. */
  statementMs?: number;
  /** Milliseconds for those that set a limit of their own, if that is longer. */
  longestStatementMs?: number;
  /** Whether a pooler in transaction mode is at the URL, which gives each transaction any of its sessions. */
  isPooled?: boolean;
  /** Told of every statement that failed. */
  onFailure?(error: unknown): void;
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
    extra: { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS, ...bounds(settings) },
  };
}

/**
 * The server ends a statement in time; where it doesn't answer at all, the connection does. A pooler knows no such limit of a
 * session, and PgBouncer refuses connections that ask for it.
 */
function bounds({ url, statementMs, longestStatementMs = 0, isPooled = false, onFailure }: DataSourceSettings): object {
  if (statementMs === undefined) return {};
  const limits = {
    ...STATEMENT_LIMITS,
    statementMs: Math.max(statementMs, longestStatementMs),
    cancels: isPooled,
    ...(onFailure ? { onFailure } : {}),
  };
  return { ...(isPooled ? {} : { statement_timeout: statementMs }), Client: boundedClient(url, limits) };
}

/** The driver's own pool, for what an ORM is too slow for: bulk writes of Buffers, and cursors. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}
