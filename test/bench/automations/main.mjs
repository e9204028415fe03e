// Usage: npm run bench automations
// BENCH_PARTS=memory,throughput (of firing, latency, throughput, memory) and BENCH_BACKEND=redis (or postgresql) run a part;
// BENCH_DELIVERIES says over how many deliveries memory is watched.
import pg from 'pg';
import { freePort } from '../../support/free-port.mjs';
import { startServer } from '../support/server.mjs';
import { benchFiring } from './firing.mjs';
import { benchLatency } from './latency.mjs';
import { benchMemory } from './memory.mjs';
import { startRedis } from './processes.mjs';
import { benchThroughput } from './throughput.mjs';

const PARTS = { firing: benchFiring, latency: benchLatency, throughput: benchThroughput, memory: benchMemory };
const BACKENDS = { postgresql: onPostgres, redis: onRedis };

export default async function benchAutomations() {
  const { BENCH_PARTS = Object.keys(PARTS).join(), BENCH_BACKEND = Object.keys(BACKENDS).join() } = process.env;
  const parts = chosen(PARTS, BENCH_PARTS, 'BENCH_PARTS');
  for (const measure of chosen(BACKENDS, BENCH_BACKEND, 'BENCH_BACKEND')) await measure(parts);
}

async function onPostgres(parts) {
  await onBackend('PostgreSQL', {}, parts);
}

/** Firing doesn't touch the queues, and a delivery takes no memory of theirs. */
async function onRedis(parts) {
  const wanted = parts.filter((bench) => bench === benchLatency || bench === benchThroughput);
  if (wanted.length === 0) return;
  const redis = await startRedis(await freePort());
  if (!redis) return console.log('\nredis-server is not installed: nothing measured on Redis');
  try {
    await onBackend('Redis', { REDIS_URL: redis.url }, wanted);
  } finally {
    await redis.stop();
  }
}

function chosen(known, names, setting) {
  return names.split(',').map((name) => {
    if (Object.hasOwn(known, name)) return known[name];
    throw new Error(`${setting}: no '${name}'; there are: ${Object.keys(known).join(', ')}`);
  });
}

async function onBackend(backend, settings, benches) {
  const limits = { AUTOMATION_FIRINGS_PER_MINUTE: '1000000', TEAM_FIRINGS_PER_MINUTE: '1000000' };
  const server = await startServer({ settings: { ...settings, ...limits } });
  const pool = new pg.Pool({ connectionString: server.postgres.url, max: 4 });
  const all = { ...settings, DATABASE_URL: server.postgres.url, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' };
  try {
    for (const bench of benches) await bench({ server, pool, backend, settings: all });
  } finally {
    await pool.end();
    await server.stop();
  }
}
