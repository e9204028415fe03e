import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { TestSystem } from './test-system.js';

describe('GET /metrics', () => {
  let database: TestDatabase;
  let system: TestSystem;

  beforeAll(async () => {
    database = await createDatabase();
    system = await TestSystem.start({ DATABASE_URL: database.url });
  });

  afterAll(async () => {
    await system.close();
    await database.drop();
  });

  it('counts requests by method, pattern of the route and status', async () => {
    await system.get('/v1/health?secret=1');
    await system.get('/v1/nobody/knows/4711');
    const { text, headers } = await system.get('/metrics');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/v1/health",status="200"} 1');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1');
    expect(text).not.toMatch(/4711|secret/);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it('shows which version runs', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { text } = await system.get('/metrics');
    expect(text).toContain(`heddle_build_info{version="${version}",node_version="${process.versions.node}"} 1`);
  });

  it('shows what waits and what is stored, as the database tells it', async () => {
    const { text } = await system.get('/metrics');
    expect(text).toContain('heddle_training_jobs{state="queued"} 0');
    expect(text).toContain('heddle_delivery_lag_seconds 0');
    expect(text).toMatch(/^heddle_stored_bytes\{where="database"\} [1-9]\d+/m);
  });

  it('shows what features count, from the start', async () => {
    const { text } = await system.get('/metrics');
    expect(text).toMatch(/^heddle_webhook_deliveries_total\{outcome="delivered"\} \d/m);
    expect(text).toMatch(/^heddle_automation_executions_ended_total\{state="failed"\} \d/m);
  });

  it('shows how much waits in each queue', async () => {
    const job = await system.queue('webhooks').add('anything', {});
    const { text } = await system.get('/metrics');
    await job.remove();
    expect(text).toContain('queue_jobs{queue="webhooks",state="waiting"} 1');
    expect(text).toContain('queue_jobs{queue="gpu",state="active"} 0');
  });

  it('shows the pools of connections and the process', async () => {
    const { text } = await system.get('/metrics');
    expect(text).toMatch(/pg_pool_connections\{pool="main",state="waiting"\} 0/);
    expect(text).toMatch(/pg_pool_connections\{pool="queues",state="idle"\} \d/);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });
});
