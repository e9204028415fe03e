import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { TestSystem } from './test-system.js';

/** More than any disk has: it is full from the start. */
const RESERVE_MIB = String(1024 * 1024);

describe('a disk with no room', () => {
  let database: TestDatabase;
  let system: TestSystem;
  beforeAll(async () => {
    database = await createDatabase();
    system = await TestSystem.start({ DATABASE_URL: database.url, DISK_RESERVE_MB: RESERVE_MIB });
  });
  afterAll(async () => {
    await system.close();
    await database.drop();
  });

  it('shows in readiness and health, and leaves the process alive', async () => {
    const error = { disk: { status: 'down', message: 'almost no room left' } };
    for (const path of ['/health/ready', '/v1/health']) {
      expect(await system.get(path)).toMatchObject({ status: 503, body: { status: 'error', error } });
    }
    expect((await system.get('/health/live')).status).toBe(200);
  });
});
