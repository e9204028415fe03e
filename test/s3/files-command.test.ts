import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { createApi } from '../../apps/api/src/create-api.js';
import { ArtifactApi, sha256 } from '../medium/artifacts/artifact-api.js';
import { RcloneServer } from './s3-server.js';

/** `npm run files`, which `npm run build` makes. */
describe('npm run files', () => {
  let server: RcloneServer;
  let t: ArtifactApi;
  let version: string;
  let empty: string;
  beforeAll(async () => {
    server = new RcloneServer();
    await server.start();
    t = await ArtifactApi.start();
    empty = mkdtempSync(join(tmpdir(), 'heddle-empty-'));
    const collection = await t.collection();
    const draft = await t.draft(collection);
    await t.upload(draft, 'a.txt', 'woven');
    await t.ask('POST', `${draft}/commit`, {});
    version = `${collection.path}/versions/v0`;
  }, 60_000);
  afterAll(async () => {
    await t.close();
    await server.remove();
    rmSync(empty, { recursive: true });
  });

  function files(
    args: string[],
    settings: Record<string, string> = server.settings,
  ): { status: number | null; said: string } {
    const env = { PATH: process.env['PATH'], DATA_DIR: t.api.env.DATA_DIR, ...settings };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/apps/local/src/files.js', ...args], {
      env,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  }

  it('takes an instance to a bucket, where it goes on, and can be run again', async () => {
    expect(files(['to-s3'])).toEqual({ status: 0, said: expect.stringContaining('1 files copied') });
    expect(files(['to-s3'])).toEqual({
      status: 0,
      said: expect.stringContaining('0 files copied (0 MB), 1 were there'),
    });
    const env = Env.from({ ...server.settings, NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: empty });
    const moved = await createApi(Object.assign(env, { DATABASE_URL: t.api.env.DATABASE_URL }));
    await moved.listen(0, '127.0.0.1');
    const url = (await moved.getUrl()).replace('[::1]', '127.0.0.1');
    const answer = await fetch(`${url}${version}/files/a.txt`, { headers: t.ada.bearer });
    expect(await answer.text()).toBe('woven');
    await moved.close();
  });

  it('takes it back', () => {
    files(['to-s3']);
    const said = files(['from-s3'], { ...server.settings, DATA_DIR: empty });
    expect(said).toEqual({ status: 0, said: expect.stringContaining('1 files copied') });
    const digest = sha256('woven');
    expect(readdirSync(join(empty, 'artifacts/sha256', digest.slice(0, 2)))).toEqual([digest]);
  });

  it('copies nothing that is damaged, and says what is', () => {
    const digest = sha256('what it was');
    const folder = join(empty, 'artifacts/sha256', sha256('woven').slice(0, 2));
    writeFileSync(join(folder, digest), 'what became of it');
    const said = files(['to-s3'], { ...server.settings, DATA_DIR: empty });
    expect(said).toEqual({
      status: 1,
      said: expect.stringMatching(new RegExp(`damaged, and not copied: .*${digest}`)),
    });
    expect(server.keys().filter((key) => key.endsWith(digest))).toEqual([]);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['a way', [], {}, 'Usage: npm run files'],
    ['a bucket', ['to-s3'], { S3_BUCKET: '' }, 'S3_BUCKET must name the bucket'],
    ['a bucket that is there', ['to-s3'], { S3_BUCKET: 'missing' }, 'store of the files does not answer'],
    ['the right key', ['to-s3'], { S3_SECRET_ACCESS_KEY: 'another' }, 'store of the files does not answer'],
  ])('needs %s', (_, args, settings, reason) => {
    expect(files(args, { ...server.settings, ...settings })).toEqual({
      status: 1,
      said: expect.stringContaining(reason),
    });
  });
});
