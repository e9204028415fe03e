// Runs once before the medium tests: an embedded PostgreSQL of their own (or, in CI, also another server named by
// HEDDLE_TEST_POSTGRES), and in it one migrated database that each test file copies. It imports the built code, since
// Jest resolves no path aliases here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../dist/libs/database/src/index.js';
import { startEmbeddedPostgres, DISPOSABLE_SETTINGS } from '../../dist/libs/embedded-postgres/src/index.js';
import { prepareQueues } from '../../dist/libs/queues/src/index.js';
import { Env } from '../../dist/libs/config/src/index.js';

export default async function globalSetup() {
  const server = await (process.env.HEDDLE_TEST_POSTGRES ? givenServer() : embeddedServer());
  globalThis.testServer = server;
  try {
    await migrate(server.url);
    await prepareQueues(Env.from({ NODE_ENV: 'test', DATABASE_URL: server.url }));
  } catch (error) {
    // Jest runs no teardown after a setup that failed.
    await server.stop();
    throw error;
  }
  process.env.TEST_SERVER_URL = server.adminUrl;
  process.env.TEST_TEMPLATE = new URL(server.url).pathname.slice(1);
}

export async function globalTeardown() {
  await globalThis.testServer.stop();
}

async function embeddedServer() {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-test-'));
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), settings: DISPOSABLE_SETTINGS });
  const stop = async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: server.url, adminUrl: server.adminUrl, stop };
}

/** A scratch database of a server that is already there. */
async function givenServer() {
  const adminUrl = process.env.HEDDLE_TEST_POSTGRES;
  const template = `heddle_test_${process.pid}`;
  await onServer(adminUrl, `CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  return { url: url.href, adminUrl, stop: () => onServer(adminUrl, `DROP DATABASE ${template} WITH (FORCE)`) };
}

async function onServer(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
