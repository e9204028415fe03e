import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DISPOSABLE_SETTINGS as settings,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '@heddle/embedded-postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { query, temporaryFolder } from './launcher.js';

describe('an embedded database that can not be had', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dataDir: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = folder.dataDir;
  });
  afterEach(() => folder.remove());

  const refusal = async (options: { dataDir: string; settings?: Record<string, string>; timeoutMs?: number }) => {
    const error: unknown = await startEmbeddedPostgres(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect((error as EmbeddedPostgresError).message).not.toContain('\n');
    return error;
  };

  it('names the file that is in the way of the directory', async () => {
    await writeFile(dataDir, '');
    expect(await refusal({ dataDir })).toMatchObject({
      code: 'DIRECTORY_UNUSABLE',
      message: expect.stringContaining(dataDir),
    });
  });

  it('names the file that is in the way of its parents', async () => {
    await writeFile(join(folder.path, 'file'), '');
    expect(await refusal({ dataDir: join(folder.path, 'file', 'database') })).toMatchObject({
      code: 'DIRECTORY_UNUSABLE',
    });
  });

  it('leaves a directory alone that holds something else', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'thesis.txt'), 'mine');
    expect(await refusal({ dataDir })).toMatchObject({ code: 'NOT_OURS' });
  });

  it('says which version made the database, and which this is', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'PG_VERSION'), '16\n');
    expect(await refusal({ dataDir })).toMatchObject({
      code: 'WRONG_MAJOR_VERSION',
      message: expect.stringMatching(/PostgreSQL 16.*PostgreSQL 18/),
    });
  });

  it('does not touch a database that was made elsewhere', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'PG_VERSION'), '18\n');
    expect(await refusal({ dataDir })).toMatchObject({
      code: process.geteuid?.() === 0 ? 'DIRECTORY_UNUSABLE' : 'NOT_OURS',
    });
  });

  it('ends in what the server said when it gave up', async () => {
    expect(await refusal({ dataDir, settings: { ...settings, shared_buffers: 'plenty' } })).toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('invalid value for parameter "shared_buffers": "plenty"'),
    });
    const server = await startEmbeddedPostgres({ dataDir, settings });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('refuses a running server that does not know the password', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings });
    await writeFile(join(dataDir, 'embedded-postgres.password'), 'another');
    expect(await refusal({ dataDir })).toMatchObject({ code: 'NOT_OURS' });
    await server.stop();
  });

  it('gives up when another process keeps the lock', async () => {
    await writeFile(`${dataDir}.lock`, 'held');
    expect(await refusal({ dataDir, timeoutMs: 200 })).toMatchObject({ code: 'TIMEOUT' });
  });
});
