// Usage: npm run bench processes
// What grows with the number of processes: 1, 2, 4 and 8 APIs with as many workers over one PostgreSQL. First with the queues
// in PostgreSQL and no pooler, then with Redis and PgBouncer. BENCH_SIZES are others than those; BENCH_SECONDS says how long each
// is watched at rest.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../dist/libs/embedded-postgres/src/index.js';
import { freePort } from '../../support/free-port.mjs';
import { PgBouncer } from '../../support/pgbouncer.mjs';
import { cpuTimeOf, startRedis, startWorker } from '../automations/processes.mjs';
import { httpClient } from '../support/http-client.mjs';
import { memoryOf } from '../support/memory.mjs';
import { startApi } from '../support/server.mjs';
import { printTable } from '../support/table.mjs';
import { watchDatabase } from './database.mjs';

const SIZES = (process.env.BENCH_SIZES ?? '1,2,4,8').split(',').map(Number);
const SETTLE_MS = 15_000;
const REST_MS = Number(process.env.BENCH_SECONDS ?? 30) * 1000;
const BUSY_MS = 5000;
/** As many requests at once to each API as its pool has connections, and some. */
const REQUESTS_AT_ONCE = 16;

export default async function benchProcesses() {
  await measure('PostgreSQL alone', async (url) => ({ DATABASE_URL: url }));
  await measure('PgBouncer and Redis', async (url, ends) => {
    const redis = await startRedis(await freePort());
    if (!redis) throw new Error('redis-server is not installed');
    ends.push(() => redis.stop());
    const bouncer = await PgBouncer.start(url);
    ends.push(() => bouncer.remove());
    return { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: url, REDIS_URL: redis.url };
  });
}

async function measure(title, prepare) {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-'));
  const dataDir = join(directory, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '400' } });
  const ends = [];
  const key = `hd_${randomBytes(32).toString('base64url')}`;
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  try {
    const settings = { ...(await prepare(postgres.url, ends)), DATA_DIR: directory, ADMIN_API_KEY: key };
    const database = watchDatabase(pool);
    const [apis, workers, rows] = [[], [], []];
    for (const size of SIZES) {
      while (apis.length < size) {
        const [api, worker] = await Promise.all([startApi(settings), startWorker(settings)]);
        ends.push(api.stop, worker.stop);
        apis.push(api);
        workers.push(worker);
      }
      const pids = [...apis.map(({ child }) => child.pid), ...workers.map(({ pid }) => pid)];
      const busy = await database.most(() => keepBusy(apis, key));
      await pause(SETTLE_MS);
      const cpuBefore = sum(pids.map(cpuTimeOf));
      const { transactions, connections, listens } = await database.rest(REST_MS);
      rows.push([
        `${size} + ${size}`,
        busy,
        connections,
        listens,
        transactions,
        ((sum(pids.map(cpuTimeOf)) - cpuBefore) / REST_MS) * 100,
        sum(apis.map(({ child }) => memoryOf(child.pid))) / size,
        sum(workers.map(({ pid }) => memoryOf(pid))) / size,
      ]);
    }
    printTable(
      `APIs + workers, ${title}`,
      [
        '',
        'busy: connections',
        'idle: connections',
        'LISTENs',
        'transactions/s',
        'CPU %',
        'MiB an API',
        'MiB a worker',
      ],
      rows,
    );
  } finally {
    for (const end of ends.reverse()) await end();
    await pool.end();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Every API writes calls, as many at once as it gets. */
async function keepBusy(apis, key) {
  const until = performance.now() + BUSY_MS;
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
  await Promise.all(
    apis.map(async ({ url }) => {
      const client = httpClient(url, authorization, { connections: REQUESTS_AT_ONCE });
      const write = async () => {
        while (performance.now() < until) await client.post('/call/upsert_batch', batch());
      };
      await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, write));
      client.close();
    }),
  );
}

function batch() {
  const id = randomBytes(16).toString('hex');
  const start = { project_id: 'admin/bench', id, trace_id: id, op_name: 'op', started_at: new Date().toISOString() };
  return JSON.stringify({ batch: [{ mode: 'start', req: { start: { ...start, attributes: {}, inputs: {} } } }] });
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
