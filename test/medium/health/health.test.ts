import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServingState } from '@heddle/process';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { TestSystem } from './test-system.js';

const up = { status: 'up' };
const down = { status: 'down', message: 'not reachable' };

describe('health routes', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let system: TestSystem;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = new TcpProxy(new URL(database.url));
    system = await TestSystem.start({ DATABASE_URL: await proxy.start(), SYSTEM_CHECK_TIMEOUT_MS: '3000' });
  });

  afterAll(async () => {
    await proxy.pass();
    await system.close();
    await proxy.refuse();
    await database.drop();
  });

  it('GET /v1/health has the form of Terminus', async () => {
    const { status, body, headers } = await system.get('/v1/health');
    const all = { api: up, database: up, queues: up, disk: up, base_models: up };
    expect(body).toEqual({ status: 'ok', info: all, error: {}, details: all });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('GET /health/ready asks the dependencies', async () => {
    const { status, body } = await system.get('/health/ready');
    expect(body).toMatchObject({ status: 'ok', details: { database: up, queues: up } });
    expect(status).toBe(200);
  });

  it('tells what is down when the database is stopped; live stays live', async () => {
    await proxy.refuse();
    const error = { database: down, queues: down };
    const health = await system.get('/v1/health');
    const info = { api: up, disk: up, base_models: up };
    expect(health.body).toEqual({ status: 'error', info, error, details: { ...info, ...error } });
    expect(health.status).toBe(503);
    expect(await system.get('/health/ready')).toMatchObject({ status: 503, body: { status: 'error', error } });
    expect(await system.get('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });

    await proxy.pass();
    await system.until('/health/ready', 200);
  });

  it('answers in time when the database hangs', async () => {
    proxy.hang();
    expect(await system.get('/health/ready')).toMatchObject({ status: 503, body: { error: { database: down } } });
    expect((await system.get('/health/live')).status).toBe(200);
    expect((await system.get('/metrics')).text).not.toContain('queue_jobs{');

    await proxy.pass();
    await system.until('/health/ready', 200);
  });

  it('runs one system check for all who ask while it runs', async () => {
    let probes = 0;
    system.queue('cpu').on('waiting', () => probes++);
    // No worker answers here, so the check runs as long as it may.
    await Promise.all(Array.from({ length: 10 }, () => system.get('/v1/system-check')));
    expect(probes).toBe(1);
  });

  it('says that the process drains, while all is up and it still answers', async () => {
    await system.api.get(ServingState, { strict: false }).begin(0);
    const { status, body } = await system.get('/health/ready');
    expect([status, body]).toMatchObject([503, { status: 'shutting_down', details: { database: up } }]);
    expect((await system.get('/health/live')).status).toBe(200);
  });

  it('is not found under other methods', async () => {
    expect((await fetch(`${system.url}/v1/health`, { method: 'POST' })).status).toBe(404);
  });
});
