import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pluck } from '../accounts/requests.js';
import { ArtifactApi, base64, sha256 } from './artifact-api.js';

const MORE_THAN_ANY_DISK = String(1024 * 1024);

describe('uploads to a draft', () => {
  let t: ArtifactApi;
  let collection: { name: string; path: string };
  beforeAll(async () => {
    t = await ArtifactApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    collection = await t.collection();
  });

  const incoming = (): string[] => readdirSync(join(t.api.env.DATA_DIR, 'artifacts', 'incoming'));
  const versions = async (): Promise<unknown> => (await t.ask('GET', `${collection.path}/versions`)).body['data'];

  /** A raw request: fetch would tidy the path up, and always ends what it begins. */
  const put = (path: string, headers: Record<string, string | number>) => {
    const { hostname, port } = new URL(t.api.url);
    return httpRequest({ hostname, port, path, method: 'PUT', headers: { ...t.ada.bearer, ...headers } });
  };
  const statusOf = (request: ReturnType<typeof put>): Promise<number> =>
    new Promise((resolve, reject) =>
      request.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject),
    );

  it('become a version when the draft is committed, and are invisible before', async () => {
    const draft = await t.draft(collection, { metadata: { a: 1 } });
    const uploaded = await t.upload(draft, 'data/train.jsonl', '{"messages":[]}\n');
    expect([uploaded.status, await uploaded.json()]).toEqual([
      200,
      { id: 'data/train.jsonl', path: 'data/train.jsonl', size: 16, sha256: sha256('{"messages":[]}\n') },
    ]);
    expect(await versions()).toEqual([]);
    const id = draft.split('/').at(-1)!;
    expect((await t.ask('GET', `${collection.path}/versions/${id}`)).body['code']).toBe('version_not_found');
    expect((await t.ask('GET', draft)).body).toMatchObject({ id, metadata: { a: 1 }, file_count: 1, size_bytes: 16 });
    expect(t.events.take()).toEqual([]);

    const { status, body } = await t.ask('POST', `${draft}/commit`, { aliases: ['prod'], tags: ['new'] });
    expect([status, body]).toMatchObject([200, { id, version: 'v0', aliases: ['latest', 'prod'], tags: ['new'] }]);
    expect(t.events.takeTypes()).toEqual([
      'CREATE_ARTIFACT',
      'ADD_ARTIFACT_ALIAS',
      'ADD_ARTIFACT_ALIAS',
      'ADD_ARTIFACT_TAG',
    ]);
  });

  it('are replaced, listed and removed until then, and never after', async () => {
    const draft = await t.draft(collection);
    for (const path of ['b', 'a', 'c']) await t.upload(draft, path, path);
    await t.upload(draft, 'a', 'anew');
    expect((await t.ask('DELETE', `${draft}/files/c`)).status).toBe(204);
    expect((await t.ask('DELETE', `${draft}/files/c`)).body['code']).toBe('file_not_found');
    const page = await t.ask('GET', `${draft}/files?limit=1`);
    expect([pluck(page, 'path'), page.body['has_more']]).toEqual([['a'], true]);
    expect(pluck(await t.ask('GET', `${draft}/files?after=a`), 'path')).toEqual(['b']);
    await t.ask('POST', `${draft}/commit`, {});
    expect(await (await t.download(`${collection.path}/versions/v0`, 'a')).text()).toBe('anew');
    expect((await t.upload(draft, 'a', 'late')).status).toBe(409);
    expect((await t.ask('DELETE', `${draft}/files/a`)).status).toBe(409);
    expect((await t.ask('POST', `${draft}/commit`, {})).body['code']).toBe('draft_committed');
    expect((await t.ask('DELETE', draft)).status).toBe(409);
  });

  it('are committed once, when many commit at the same time', async () => {
    const draft = await t.draft(collection);
    const answers = await Promise.all(Array.from({ length: 4 }, () => t.ask('POST', `${draft}/commit`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await versions()).toHaveLength(1);
  });

  it('are in the version or refused, when the commit comes at the same time', async () => {
    const draft = await t.draft(collection);
    const uploads = Array.from({ length: 10 }, (_, n) => t.upload(draft, `f${n}`, `content ${n}`));
    const [commit, ...answers] = await Promise.all([t.ask('POST', `${draft}/commit`, {}), ...uploads]);
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(commit.body['file_count']).toBe(accepted);
  });

  it('are refused where the content is another than was announced', async () => {
    const draft = await t.draft(collection);
    const right = sha256('right');
    for (const [path, headers, loc] of [
      [`a?sha256=${right}`, {}, ['query', 'sha256']],
      ['a', { 'x-content-sha256': right.toUpperCase() }, ['header', 'x-content-sha256']],
    ] as const) {
      const wrong = await t.upload(draft, path, 'wrong', headers);
      expect([wrong.status, await wrong.json()]).toMatchObject([422, { detail: [{ loc, type: 'sha256_mismatch' }] }]);
      expect((await t.ask('GET', draft)).body['file_count']).toBe(0);
    }
    expect((await t.upload(draft, 'a', 'right', { 'x-content-sha256': right.toUpperCase() })).status).toBe(200);
    expect((await t.upload(draft, 'a', 'right', { 'x-content-sha256': 'abc' })).status).toBe(422);
    expect(incoming()).toEqual([]);
  });

  it('of more than 8 GiB are refused before they come', async () => {
    const draft = await t.draft(collection);
    const request = put(`${draft}/files/a`, { 'content-length': 8 * 1024 ** 3 + 1 });
    request.flushHeaders();
    expect(await statusOf(request)).toBe(413);
    request.on('error', () => undefined).destroy();
  });

  it('are refused before they come where the disk has no room for them', async () => {
    const full = await ArtifactApi.start({ DISK_RESERVE_MB: MORE_THAN_ANY_DISK });
    try {
      const there = await full.collection();
      const draft = await full.draft(there);
      const { port } = new URL(full.api.url);
      const headers = { ...full.ada.bearer, 'content-length': 1_000_000 };
      const request = httpRequest({ port, path: `${draft}/files/a`, method: 'PUT', headers });
      request.on('error', () => undefined).flushHeaders();
      const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '60']);
      expect(JSON.parse(await text(response))).toMatchObject({
        code: 'storage_full',
        detail: expect.stringContaining('1000000 bytes') as string,
      });
      request.destroy();
      const inline = await full.version(there, { files: [{ path: 'a', content: base64('small') }] });
      expect([inline.status, inline.body['code']]).toEqual([503, 'storage_full']);
      expect(existsSync(join(full.api.env.DATA_DIR, 'artifacts'))).toBe(false);
      expect((await full.ask('GET', draft)).body['file_count']).toBe(0);
    } finally {
      await full.close();
    }
  });

  it('that break off leave nothing, and the draft can still be committed', async () => {
    const draft = await t.draft(collection);
    const request = put(`${draft}/files/a`, { 'content-length': 1_000_000 });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(300_000));
    while (incoming().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await versions()).toEqual([]);
    request.destroy();
    while (incoming().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await t.ask('GET', draft)).body['file_count']).toBe(0);
    expect((await t.ask('POST', `${draft}/commit`, {})).body).toMatchObject({ version: 'v0', file_count: 0 });
  });

  it('of the same content at once are stored once, and each is there', async () => {
    const content = Buffer.alloc(200_000, 'same');
    const draft = await t.draft(collection);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => t.upload(draft, `f${n}`, content)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { rows } = await t.api.database.pool.query('SELECT FROM artifact_blobs WHERE sha256 = $1', [sha256(content)]);
    expect(rows).toHaveLength(1);
    await t.ask('POST', `${draft}/commit`, {});
    expect(sha256(Buffer.from(await (await t.download(`${collection.path}/versions/v0`, 'f7')).arrayBuffer()))).toBe(
      sha256(content),
    );
  });

  it('stream through with flat memory, both ways', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-upload-'));
    try {
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      await writeFile(join(directory, 'big'), Readable.from(Array<Buffer>(256).fill(megabyte)));
      const draft = await t.draft(collection);
      const before = process.memoryUsage.rss();
      const request = put(`${draft}/files/big`, { 'content-length': 256 * megabyte.length });
      createReadStream(join(directory, 'big')).pipe(request);
      expect(await statusOf(request)).toBe(200);
      await t.ask('POST', `${draft}/commit`, {});
      const response = await t.download(`${collection.path}/versions/v0`, 'big');
      let received = 0;
      for await (const chunk of response.body!) received += (chunk as Uint8Array).length;
      expect(received).toBe(256 * megabyte.length);
      expect(process.memoryUsage.rss() - before).toBeLessThan(150 * megabyte.length);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.each([
    '..%2Fa',
    'a/..%2F..%2Fb',
    '%2e%2e/a',
    '../../../../a',
    'a//b',
    '%2Fetc%2Fpasswd',
    'a%5Cb',
    'a%00',
    'a%0Ab',
    'C:%2Fa',
  ])('have no path like %s', async (path) => {
    const draft = await t.draft(collection);
    const request = put(`${draft}/files/${path}`, { 'content-length': 1 });
    request.end('x');
    expect([404, 422]).toContain(await statusOf(request));
    expect((await t.ask('GET', draft)).body['file_count']).toBe(0);
  });

  it('go with the draft', async () => {
    const draft = await t.draft(collection);
    await t.upload(draft, 'a', 'only here');
    expect((await t.ask('DELETE', draft)).status).toBe(204);
    expect((await t.upload(draft, 'a', 'late')).status).toBe(404);
    const { rows } = await t.api.database.pool.query('SELECT FROM artifact_blobs WHERE sha256 = $1', [
      sha256('only here'),
    ]);
    expect(rows).toEqual([]);
  });
});
