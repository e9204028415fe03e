import { type BackendFactory, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import pg from 'pg';
import { QueuesUnusableError } from './queues.errors.js';

/** Each worker holds one connection to LISTEN on; the rest is shared by everything that adds, claims and ends jobs. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5000;
/** No statement of BullMQ's takes long; one that does sits on a connection that died without saying so. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** So that those who listen, and never ask, miss a server that vanished within half a minute. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** BullMQ on PostgreSQL: one pool for all queues and workers of the process, in a schema of its own. */
export class PostgresQueues {
  readonly pool: pg.Pool;

  constructor(
    url: string,
    readonly schema: string,
  ) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'heddle-queues',
      // A job lost in a crash of the server is found again by whoever owns its row, so it need not wait for the disk.
      options: `-c search_path=${schema} -c synchronous_commit=off`,
    });
    // One that is lost while BullMQ uses it must not end the process: the query fails, and says so.
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
    // Every queue and worker adds its listener.
    this.pool.setMaxListeners(50);
  }

  readonly createBackend: BackendFactory<PostgresQueueBackend> = (name, options, role) => {
    const connection = new SharedPoolConnection(this.pool, this.schema);
    const listener = role?.withBlockingConnection ? name : undefined;
    return new PostgresQueueBackend(connection, name, { ...options, connection: this.pool }, true, listener);
  };

  /** Resolves once every connection is back, so close queues and workers first. */
  close(): Promise<void> {
    return this.pool.end();
  }
}

/** BullMQ takes a pool of ours for one in its default schema, and would look for its version there. */
class SharedPoolConnection extends PostgresConnection {
  constructor(
    pool: pg.Pool,
    override readonly schema: string,
  ) {
    super(pool);
  }
}

/** Makes the schema of the queues or brings it up to date. Processes that start at once do it one after the other. */
export async function migratePostgresQueues(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, schema);
  } catch (error) {
    const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
    const text = `The queues' schema ${schema} in PostgreSQL can't be prepared: ${message}`;
    throw new QueuesUnusableError(text, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
