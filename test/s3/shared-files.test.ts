import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Env } from '@heddle/config';
import { createApi } from '../../apps/api/src/create-api.js';
import { TrainingSystem } from '../medium/training/training-system.js';
import { eventually } from '../support/eventually.js';
import { RcloneServer } from './s3-server.js';

const keyOf = (content: string): string => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return `artifacts/sha256/${sha256.slice(0, 2)}/${sha256}`;
};

/** Two API processes and a worker, each with a disk of its own. */
describe('processes that share a database and a bucket, but no disk', () => {
  let server: RcloneServer;
  let t: TrainingSystem;
  let second: INestApplication;
  let there: string;
  const folders: string[] = [];
  const disk = async (): Promise<string> => {
    folders.push(await mkdtemp(join(tmpdir(), 'heddle-disk-')));
    return folders.at(-1)!;
  };
  beforeAll(async () => {
    server = new RcloneServer();
    await server.start();
    t = await TrainingSystem.start({ ...server.settings, ENGINE_THREADS: '1' });
    second = await createApi(Object.assign(Env.from({}), t.env, { DATA_DIR: await disk() }));
    await second.listen(0, '127.0.0.1');
    there = (await second.getUrl()).replace('[::1]', '127.0.0.1');
    await t.startWorker(null, { DATA_DIR: await disk() });
    await t.ask('POST', '/v1/projects', { name: 'loom' });
    await t.ask('POST', artifacts(), { name: 'data', type: 'dataset' });
  }, 120_000);
  afterAll(async () => {
    await second.close();
    await t.close();
    await server.remove();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  const artifacts = (): string => `/v1/projects/${t.ada.entity}/loom/artifacts`;

  /** Sends a file into a new draft. @returns the answer, and the version's path once it is committed */
  async function upload(content: string): Promise<{ answer: Response; commit: () => Promise<string> }> {
    const { body } = await t.ask('POST', `${artifacts()}/data/drafts`, {});
    const draft = `${artifacts()}/data/drafts/${String(body['id'])}`;
    const init = { method: 'PUT', headers: t.ada.bearer, body: content };
    const answer = await fetch(`${t.url}${draft}/files/a.txt`, init);
    const commit = async (): Promise<string> => {
      const { body: version } = await t.ask('POST', `${draft}/commit`, {});
      return `${artifacts()}/data/versions/${String(version['version'])}`;
    };
    return { answer, commit };
  }

  const download = (url: string, version: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${version}/files/a.txt`, { headers: { ...t.ada.bearer, ...headers } });

  it('give out what came to another of them', async () => {
    const { answer, commit } = await upload('woven');
    expect(answer.status).toBe(200);
    const version = await commit();
    for (const url of [t.url, there]) expect(await (await download(url, version)).text()).toBe('woven');
    const part = await download(there, version, { range: 'bytes=1-2' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 1-2/5', 'ov']);
    const etag = part.headers.get('etag')!;
    expect((await download(there, version, { 'if-none-match': etag })).status).toBe(304);
  });

  it('keep nothing of it on their disks, and free the bucket with the last version that has it', async () => {
    const versions = [await (await upload('twice')).commit(), await (await upload('twice')).commit()];
    expect(server.keys()).toContain(keyOf('twice'));
    expect(await readdir(join(t.env.DATA_DIR, 'artifacts/incoming'))).toEqual([]);
    await t.ask('DELETE', versions[0]!);
    expect(server.keys()).toContain(keyOf('twice'));
    await t.ask('DELETE', versions[1]!);
    expect(server.keys()).not.toContain(keyOf('twice'));
  });

  it('train where no file of the API is, and answer with what was trained', async () => {
    const model = await t.model({ name: 'shared', base_model: 'heddle/shuttle-1m' });
    const job = await t.ended(await t.train(model, 1));
    expect(job).toMatchObject({ state: 'FINISHED', step: 1 });
    expect(await t.steps(model)).toContain(1);
    const ref = `wandb-artifact:///${t.ada.entity}/loom/shared:step1`;
    const body = JSON.stringify({ model: ref, messages: [{ role: 'user', content: 'a' }], max_tokens: 3 });
    const headers = { ...t.ada.bearer, 'content-type': 'application/json' };
    for (const url of [t.url, there]) {
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ model: ref })]);
    }
  }, 120_000);

  it('export what lies in the bucket', async () => {
    await (await upload('exported')).commit();
    const answer = await fetch(`${there}/v1/projects/${t.ada.entity}/loom/archive`, { headers: t.ada.bearer });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).includes('exported')).toBe(true);
    const held = 'SELECT count(*)::int AS n FROM held_blobs';
    await eventually(
      async () => (await t.database.pool.query<{ n: number }>(held)).rows[0]!.n,
      (n) => n === 0,
    );
  });

  it('say that the bucket is away, lose nothing, and go on when it is back', async () => {
    const before = await (await upload('before')).commit();
    const model = await t.model({ name: 'patient', base_model: 'heddle/shuttle-1m' });
    const job = await t.train(model, 1);
    await server.stop();
    const { answer } = await upload('during');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'files_unavailable' });
    expect((await download(there, before)).status).toBe(503);
    const ready = await fetch(`${t.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ error: { files: { status: 'down', message: 'not reachable' } } }),
    ]);
    await server.start();
    expect(await (await download(there, before)).text()).toBe('before');
    expect(await t.ended(job)).toMatchObject({ state: 'FINISHED', step: 1 });
  }, 120_000);
});
