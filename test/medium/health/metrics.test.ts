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
