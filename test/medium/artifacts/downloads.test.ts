import { ArtifactApi, base64, sha256 } from './artifact-api.js';

const TEXT = 'What is downloaded is what was uploaded: žluťoučký kůň.';

describe('downloads', () => {
  let t: ArtifactApi;
  let version: string;
  let name: string;
  beforeAll(async () => {
    t = await ArtifactApi.start();
    const collection = await t.collection();
    name = collection.name;
    await t.version(collection, {
      aliases: ['prod'],
      files: [
        { path: 'déjà vu/a b.txt', content: base64(TEXT) },
        { path: 'empty', content: '' },
        { path: 'page.html', content: base64('<script>') },
      ],
    });
    version = `${collection.path}/versions/v0`;
  });
  afterAll(() => t.close());

  const get = (headers: Record<string, string> = {}, method?: string) =>
    t.download(version, 'd%C3%A9j%C3%A0%20vu/a%20b.txt', headers, method);

  it('come whole, with length and digest', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': String(Buffer.byteLength(TEXT)),
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''a%20b.txt",
      'accept-ranges': 'bytes',
      etag: `"${sha256(TEXT)}"`,
      'x-content-sha256': sha256(TEXT),
    });
    expect(await response.text()).toBe(TEXT);
  });

  it('come empty', async () => {
    const response = await t.download(version, 'empty');
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', '']);
  });

  it('never run as a page of ours', async () => {
    const { headers } = await t.download(version, 'page.html');
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it.each([
    ['bytes=0-3', 'What', `bytes 0-3/${Buffer.byteLength(TEXT)}`],
    ['bytes=5-6', 'is', `bytes 5-6/${Buffer.byteLength(TEXT)}`],
    ['bytes=-1', '.', `bytes ${Buffer.byteLength(TEXT) - 1}-${Buffer.byteLength(TEXT) - 1}/${Buffer.byteLength(TEXT)}`],
  ])('come in part for Range: %s', async (range, text, contentRange) => {
    const response = await get({ range });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      206,
      text,
      contentRange,
    ]);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('come whole for ranges that make no sense, or of another content', async () => {
    const several: Record<string, string>[] = [
      { range: 'lines=1-2' },
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=0-3', 'if-range': '"x"' },
    ];
    for (const headers of several) {
      const response = await get(headers);
      expect([response.status, await response.text()]).toEqual([200, TEXT]);
    }
  });

  it('say how long the file is, for a range behind its end', async () => {
    const response = await get({ range: 'bytes=1000-' });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${Buffer.byteLength(TEXT)}`,
    ]);
  });

  it('do not come where the client has them already', async () => {
    const response = await get({ 'if-none-match': `"${sha256(TEXT)}"` });
    expect([response.status, await response.text()]).toEqual([304, '']);
  });

  it('tell their headers alone', async () => {
    const response = await get({}, 'HEAD');
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      String(Buffer.byteLength(TEXT)),
      '',
    ]);
  });

  it.each([
    ['v0', 'nothing', 404],
    ['v1', 'empty', 404],
    ['v0', '..%2f..%2fempty', 422],
  ])('do not come from %s/%s', async (other, path, status) => {
    expect((await t.download(version.replace('v0', other), path)).status).toBe(status);
  });

  it.each(['', ':prod', ':v0', ':latest'])('are found by refs that end with "%s"', async (suffix) => {
    for (const scheme of ['', 'wandb-artifact:///', 'wandb-artifact://']) {
      const ref = encodeURIComponent(`${scheme}${t.project}/${name}${suffix}`);
      expect((await t.ask('GET', `/v1/artifact-refs?ref=${ref}`)).body['version']).toBe('v0');
    }
  });

  it.each([
    ['other', 422],
    ['a/b/c/d', 422],
    ['', 422],
    ['PROJECT/agent-1:v7', 404],
    ['PROJECT/nothing', 404],
    ['nobody/loom/agent-1', 404],
  ])('are not found by the ref "%s"', async (ref, status) => {
    const encoded = encodeURIComponent(ref.replace('PROJECT', t.project));
    expect((await t.ask('GET', `/v1/artifact-refs?ref=${encoded}`)).status).toBe(status);
  });
});
