// Usage: npm run bench automations
import { createServer } from 'node:net';
import pg from 'pg';
import { startServer } from '../support/server.mjs';
import { benchFiring } from './firing.mjs';
import { benchLatency } from './latency.mjs';
import { benchMemory } from './memory.mjs';
import { startRedis } from './processes.mjs';
import { benchThroughput } from './throughput.mjs';

export default async function benchAutomations() {
  await onBackend('PostgreSQL', {}, [benchFiring, benchLatency, benchThroughput, benchMemory]);
  const redis = await startRedis(await freePort());
  if (!redis) return console.log('\nredis-server is not installed: nothing measured on Redis');
  try {
    await onBackend('Redis', { REDIS_URL: redis.url }, [benchLatency, benchThroughput]);
  } finally {
    await redis.stop();
  }
}

async function onBackend(backend, settings, benches) {
  const server = await startServer({ settings: { ...settings, AUTOMATION_FIRINGS_PER_MINUTE: '1000000' } });
  const pool = new pg.Pool({ connectionString: server.postgres.url, max: 4 });
  const all = { ...settings, DATABASE_URL: server.postgres.url, WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' };
  try {
    for (const bench of benches) await bench({ server, pool, backend, settings: all });
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
