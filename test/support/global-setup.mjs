// Runs once before the medium tests: an embedded PostgreSQL of their own, and in it one migrated database that each
// test file copies. Jest transforms no TypeScript path aliases here, hence the built code.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../dist/libs/database/src/index.js';
import { startEmbeddedPostgres, DISPOSABLE_SETTINGS } from '../../dist/libs/embedded-postgres/src/index.js';
import { prepareQueues } from '../../dist/libs/queues/src/index.js';
import { Env } from '../../dist/libs/config/src/index.js';

export default async function globalSetup() {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), settings: DISPOSABLE_SETTINGS });
  globalThis.testServer = { server, directory };
  await migrate(server.url);
  await prepareQueues(Env.from({ NODE_ENV: 'test', DATABASE_URL: server.url }));
  process.env.TEST_SERVER_URL = server.adminUrl;
  process.env.TEST_TEMPLATE = new URL(server.url).pathname.slice(1);
}

export async function globalTeardown() {
  await globalThis.testServer.server.stop();
  await rm(globalThis.testServer.directory, { recursive: true, force: true });
}
