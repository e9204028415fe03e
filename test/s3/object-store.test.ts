import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { CreateBucketCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { FilesUnavailableError, type ObjectStore, openObjectStore } from '@heddle/storage';
import { MotoServer, RcloneServer, type S3Server } from './s3-server.js';

const MIB = 1024 * 1024;
const md5Of = (content: string | Buffer): string => createHash('md5').update(content).digest('hex');
const open = (settings: Record<string, string>): Promise<ObjectStore> =>
  openObjectStore(Env.from({ NODE_ENV: 'test', ...settings }));

describe.each([
  ['rclone', RcloneServer],
  ['moto', MotoServer],
])('objects in a bucket of %s', (name, Server) => {
  let server: S3Server;
  let objects: ObjectStore;
  let client: S3Client;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-objects-'));
    server = new Server();
    await server.start();
    const { settings } = server;
    client = new S3Client({
      region: 'us-east-1',
      endpoint: settings.S3_ENDPOINT,
      forcePathStyle: true,
      credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
    });
    if (name === 'moto') await client.send(new CreateBucketCommand({ Bucket: 'heddle' }));
    objects = await open({ ...settings, S3_PREFIX: 'team/a' });
  }, 60_000);
  afterAll(async () => {
    client.destroy();
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  async function put(key: string, content: string | Buffer, md5 = md5Of(content)): Promise<void> {
    const path = join(folder, 'draft');
    writeFileSync(path, content);
    await objects.put(key, path, md5);
  }

  it('gives back what was put there, whole and in part', async () => {
    await put('artifacts/abc', 'abc');
    expect(await objects.sizeOf('artifacts/abc')).toBe(3);
    expect(await text((await objects.open('artifacts/abc'))!)).toBe('abc');
    expect(await text((await objects.open('artifacts/abc', { start: 1, end: 2 }))!)).toBe('bc');
    await put('artifacts/abc', 'newer');
    expect(await text((await objects.open('artifacts/abc'))!)).toBe('newer');
    await put('artifacts/empty', '');
    expect(await objects.sizeOf('artifacts/empty')).toBe(0);
  });

  it('puts large files in parts', async () => {
    const large = randomBytes(20 * MIB + 1);
    await put('artifacts/large', large);
    expect(await objects.sizeOf('artifacts/large')).toBe(large.length);
    expect(md5Of(await buffer((await objects.open('artifacts/large'))!))).toBe(md5Of(large));
    const range = { start: 17 * MIB, end: 17 * MIB + 99 };
    const part = await buffer((await objects.open('artifacts/large', range))!);
    expect(part.equals(large.subarray(range.start, range.end + 1))).toBe(true);
  });

  it('knows what is not there, and removes it all the same', async () => {
    await put('artifacts/gone', 'x');
    await objects.remove('artifacts/gone');
    await objects.remove('artifacts/gone');
    expect([await objects.sizeOf('artifacts/gone'), await objects.open('artifacts/gone')]).toEqual([null, null]);
  });

  it('keeps to its folder in the bucket', async () => {
    await put('trajectories/mine', 'x');
    const found = await client.send(new HeadObjectCommand({ Bucket: 'heddle', Key: 'team/a/trajectories/mine' }));
    expect(found.ContentLength).toBe(1);
    const another = await open({ ...server.settings, S3_PREFIX: 'team/b' });
    expect(await another.sizeOf('trajectories/mine')).toBeNull();
    for await (const { key } of another.list('trajectories')) throw new Error(key);
  });

  it('lists what is below a folder, with the time of its last change', async () => {
    const keys = ['listed/a', 'listed/b/c'];
    for (const key of keys) await put(key, key);
    const found: string[] = [];
    for await (const { key, modifiedAt } of objects.list('listed')) {
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(120_000);
      found.push(key);
    }
    expect(found.sort()).toEqual(keys);
  });

  it('says whether it can be used', async () => {
    await expect(objects.check()).resolves.toBeUndefined();
    const elsewhere = await open({ ...server.settings, S3_BUCKET: 'missing' });
    await expect(elsewhere.check()).rejects.toThrow(FilesUnavailableError);
    await expect(elsewhere.open('artifacts/abc')).rejects.toThrow(FilesUnavailableError);
  });

  it('gives clients an address only where that is asked for', async () => {
    await put('artifacts/linked', 'abc');
    const file = { name: 'ré 1.txt', type: 'application/octet-stream' };
    expect(await objects.linkTo('artifacts/linked', file)).toBeNull();
    const linking = await open({ ...server.settings, S3_PREFIX: 'team/a', S3_PRESIGNED_DOWNLOADS: 'true' });
    const link = await linking.linkTo('artifacts/linked', file);
    expect(link).toMatch(/X-Amz-Expires=3600&.*X-Amz-Signature=[\da-f]{64}/);
    expect(link).not.toContain(server.settings.S3_SECRET_ACCESS_KEY);
    if (name === 'rclone') return; // It answers 400 to signed addresses.
    const answer = await fetch(link!);
    expect([answer.status, await answer.text()]).toEqual([200, 'abc']);
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%A9%201.txt");
  });

  it('says so when the server is gone, and goes on once it is back', async () => {
    await server.stop();
    await expect(objects.sizeOf('artifacts/abc')).rejects.toMatchObject({ status: 503, code: 'files_unavailable' });
    await expect(put('artifacts/late', 'x')).rejects.toThrow(FilesUnavailableError);
    await expect(objects.check()).rejects.toThrow(FilesUnavailableError);
    await server.start();
    if (name === 'moto') await client.send(new CreateBucketCommand({ Bucket: 'heddle' }));
    await put('artifacts/late', 'x');
    expect(await objects.sizeOf('artifacts/late')).toBe(1);
  }, 60_000);
});

describe('a bucket of rclone', () => {
  let server: RcloneServer;
  beforeAll(async () => {
    server = new RcloneServer();
    await server.start();
  }, 60_000);
  afterAll(() => server.remove());

  it("lets nobody in with another's key", async () => {
    const stranger = await open({ ...server.settings, S3_SECRET_ACCESS_KEY: 'another' });
    await expect(stranger.check()).rejects.toThrow(FilesUnavailableError);
  });

  it('is listed page by page', async () => {
    const keys = Array.from({ length: 2005 }, (_, n) => `pages/${String(n).padStart(4, '0')}`);
    server.fill(keys);
    const objects = await open(server.settings);
    const found: string[] = [];
    for await (const { key } of objects.list('pages')) found.push(key);
    expect(found.sort()).toEqual(keys);
  });

  it('refuses a file that is not what it should be when it arrives', async () => {
    const objects = await open(server.settings);
    const draft = join(server.folder, 'draft');
    writeFileSync(draft, 'abc');
    await expect(objects.put('artifacts/wrong', draft, md5Of('abd'))).rejects.toThrow(FilesUnavailableError);
    expect(await objects.sizeOf('artifacts/wrong')).toBeNull();
  });
});
