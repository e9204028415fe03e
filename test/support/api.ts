import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Env } from '@heddle/config';
import { createApi } from '../../apps/api/src/create-api.js';
import { createDatabase, type TestDatabase } from './database.js';
import { Given } from './given.js';

/** The API in this process, on a database and a data directory of its own. */
export interface TestApi {
  /** Without a trailing slash. */
  url: string;
  env: Env;
  database: TestDatabase;
  given: Given;
  /** A provider of the process. */
  provider<T>(token: Type<T>): T;
  close(): Promise<void>;
}

export async function startApi(settings: Record<string, string> = {}): Promise<TestApi> {
  const database = await createDatabase();
  const dataDir = join(tmpdir(), `heddle-data-${basename(new URL(database.url).pathname)}`);
  const env = Env.from({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATABASE_POOL_SIZE: '8',
    ...settings,
  });
  const app = await createApi(env);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    env,
    database,
    given: new Given(database.pool),
    provider: (token) => app.get(token, { strict: false }),
    close: async () => {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
