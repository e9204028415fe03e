import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { startApi, type TestApi } from '../../../support/api.js';
import type { GivenUser } from '../../../support/given.js';

describe('files', () => {
  let api: TestApi;
  let member: GivenUser & { entity: string };
  let stranger: GivenUser;
  let projectId: string;

  beforeAll(async () => {
    api = await startApi();
    [member, stranger] = [await api.given.member(), await api.given.member()];
    projectId = `${member.entity}/lab`;
  });
  afterAll(() => api.close());

  /** In the order given: clients differ in whether the file comes last. */
  function form(...parts: [string, string | Buffer][]): FormData {
    const data = new FormData();
    for (const [name, value] of parts) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, new Blob([Uint8Array.from(value)]), 'obj.py');
    }
    return data;
  }

  const create = (body: FormData | string, user = member, path = '/file/create'): Promise<Response> =>
    fetch(api.url + path, { method: 'POST', headers: user.basic, body });

  async function upload(bytes: Buffer): Promise<string> {
    const response = await create(form(['project_id', projectId], ['file', bytes]));
    return ((await response.json()) as { digest: string }).digest;
  }

  const read = (digest: string, user = member, path = '/file/content'): Promise<Response> =>
    fetch(api.url + path, {
      method: 'POST',
      headers: user.basic,
      body: JSON.stringify({ project_id: projectId, digest }),
    });

  it('are known by the digest that the SDKs compute, whichever part comes first, on both paths', async () => {
    // weave 0.54: compute_file_digest(b"hello")
    const digest = 'LPJNulXwow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
    expect(await upload(Buffer.from('hello'))).toBe(digest);
    const response = await create(
      form(['file', Buffer.from('hello')], ['project_id', projectId]),
      member,
      '/files/create',
    );
    expect(await response.json()).toEqual({ digest });
    const content = await read(digest, member, '/files/content');
    expect(content.headers.get('content-type')).toBe('application/octet-stream');
    expect(content.headers.get('content-length')).toBe('5');
    expect(await content.text()).toBe('hello');
  });

  it.each([0, 1, 1024 * 1024, 5 * 1024 * 1024 + 1])('come back byte for byte: %d bytes', async (size) => {
    const bytes = randomBytes(size);
    const digest = await upload(bytes);
    const content = Buffer.from(await (await read(digest)).arrayBuffer());
    expect(content.equals(bytes)).toBe(true);
    const own = createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');
    expect(digest).toBe(own);
  });

  it('are stored once however many clients send them at once', async () => {
    const bytes = randomBytes(3 * 1024 * 1024);
    const digests = await Promise.all(Array.from({ length: 6 }, () => upload(bytes)));
    expect(new Set(digests).size).toBe(1);
    const { rows } = await api.database.pool.query<{ count: string }>(
      'SELECT count(*) FROM trace_file_chunks WHERE file_digest = $1',
      [digests[0]],
    );
    expect(rows[0]!.count).toBe('3');
  });

  it.each([
    ['no file', form(['project_id', 'a/b']), 422],
    ['no project', form(['file', Buffer.from('x')]), 422],
    ['a body that is no form', '{"project_id": "a/b"}', 422],
    ["another team's project", form(['project_id', 'unknown/lab'], ['file', Buffer.from('x')]), 404],
  ])('are refused with %s', async (_name, body, status) => {
    expect((await create(body)).status).toBe(status);
  });

  it.each(['file', 'another'])('are refused when their form breaks off in a part %s', async (name) => {
    const boundary = 'edge';
    const response = await fetch(`${api.url}/file/create`, {
      method: 'POST',
      headers: { ...member.basic, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\nhalf`,
    });
    expect(response.status).toBe(422);
  });

  it('are refused with a digest that differs', async () => {
    const body = form(['project_id', projectId], ['expected_digest', 'other'], ['file', Buffer.from('x')]);
    expect((await create(body)).status).toBe(409);
  });

  it('are not shown to another team', async () => {
    const digest = await upload(Buffer.from('secret'));
    expect((await read(digest, stranger as typeof member)).status).toBe(404);
    expect((await read('unknown')).status).toBe(404);
  });

  it('leave nothing behind on the disk, also when a client goes away in the middle', async () => {
    const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('heddle-upload-'));
    const { hostname, port } = new URL(api.url);
    const headers = { ...member.basic, 'content-type': 'multipart/form-data; boundary=edge' };
    const upload = request({ hostname, port, method: 'POST', path: '/file/create', headers });
    upload.on('error', () => undefined);
    upload.write('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    upload.write(randomBytes(1024 * 1024));
    await until(() => left().length === 1);
    upload.destroy();
    await until(() => left().length === 0);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(10);
}
