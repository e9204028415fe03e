import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.js';

type Json = Record<string, unknown>;

describe('the documentation', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ PUBLIC_URL: 'https://example.com/heddle/' });
  });
  afterAll(() => api.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(api.url + path, { headers, redirect: 'manual' });

  /** Bytes on the wire: fetch would unpack them. */
  const transferred = (path: string, encoding: string): Promise<number> =>
    new Promise((resolve, reject) => {
      request(api.url + path, { headers: { 'accept-encoding': encoding } }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes));
      })
        .on('error', reject)
        .end();
    });

  it('is where / leads, also behind a prefix', async () => {
    expect((await get('/')).headers.get('location')).toBe('https://example.com/heddle/docs');
    expect((await get('/docs/')).headers.get('location')).toBe('../docs');
    const html = await (await get('/docs')).text();
    expect(html.match(/(?:href|src)="([^"]+)"/g)!.filter((link) => !/="docs\/[\w.-]+"/.test(link))).toEqual([]);
    expect(((await (await get('/openapi.json')).json()) as Json)['servers']).toEqual([
      { url: 'https://example.com/heddle' },
    ]);
  });

  it('runs no script but its own, talks to nobody else, and stands in no frame', async () => {
    const { headers } = await get('/docs');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
  });

  it('is sent compressed, and only to those who do not have it', async () => {
    const whole = await transferred('/openapi.json', 'identity');
    for (const encoding of ['gzip', 'br']) expect(await transferred('/openapi.json', encoding)).toBeLessThan(whole / 5);
    const etag = (await get('/openapi.json')).headers.get('etag')!;
    const again = await get('/openapi.json', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/openapi.json', { 'if-none-match': 'W/"another"' })).status).toBe(200);
  });

  it('comes in parts that are whole by themselves, and together hold every operation', async () => {
    const script = await (await get('/docs/init.js')).text();
    const parts = JSON.parse(/urls: (\[.*?\]),/.exec(script)![1]!) as { name: string; url: string }[];
    expect(parts[0]!.name).toBe('Administration');
    const operations = (document: Json): string[] =>
      Object.entries(document['paths'] as Json).flatMap(([path, each]) =>
        Object.keys(each as Json).map((method) => `${method} ${path}`),
      );
    const found = new Set<string>();
    let everything: Json = {};
    for (const { name, url } of parts) {
      const text = await (await get(`/${url}`)).text();
      const document = JSON.parse(text) as Json;
      const schemas = (document['components'] as { schemas: Json }).schemas;
      const refs = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, ref]) => ref!);
      expect([name, refs.filter((ref) => !(ref in schemas))]).toEqual([name, []]);
      if (name === 'Everything') everything = document;
      else for (const operation of operations(document)) found.add(operation);
    }
    expect([...found].sort()).toEqual(operations(everything).sort());
  });

  it('answers no stranger with anything but itself', async () => {
    expect((await get('/docs/../package.json')).status).toBe(404);
    expect((await get('/docs/nothing.js')).status).toBe(404);
  });
});
