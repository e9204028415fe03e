import { pluck } from '../accounts/requests.js';
import { ArtifactApi, base64, sha256 } from './artifact-api.js';

describe('versions of an artifact', () => {
  let t: ArtifactApi;
  let collection: { name: string; path: string };
  beforeAll(async () => {
    t = await ArtifactApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    collection = await t.collection();
  });

  const at = (version: string): string => `${collection.path}/versions/${version}`;
  const aliasesOf = async (version: string): Promise<unknown> => (await t.ask('GET', at(version))).body['aliases'];

  it('are made at once: files, metadata, aliases and tags', async () => {
    const { status, body } = await t.version(collection, {
      description: 'From May',
      metadata: { accuracy: 0.9 },
      aliases: ['production'],
      tags: ['reviewed'],
      files: [
        { path: 'b/c.txt', content: base64('two') },
        { path: 'a.txt', content: base64('one') },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      version: 'v0',
      ref: `${t.project}/${collection.name}:v0`,
      // As `sha256sum a.txt b/c.txt | sha256sum` would say.
      digest: sha256(`${sha256('one')}  a.txt\n${sha256('two')}  b/c.txt\n`),
      description: 'From May',
      metadata: { accuracy: 0.9 },
      aliases: ['latest', 'production'],
      tags: ['reviewed'],
      file_count: 2,
      size_bytes: 6,
      created_by: t.ada.username,
    });
    expect(await (await t.download(at('production'), 'b/c.txt')).text()).toBe('two');
    expect(pluck(await t.ask('GET', `${at('v0')}/files`), 'path')).toEqual(['a.txt', 'b/c.txt']);
  });

  it('tell of themselves and of each label, in this order', async () => {
    const { body } = await t.version(collection, { metadata: { a: 1 }, aliases: ['x'], tags: ['y'] });
    const events = t.events.take();
    expect(events.map(({ type }) => type)).toEqual([
      'CREATE_ARTIFACT',
      'ADD_ARTIFACT_ALIAS',
      'ADD_ARTIFACT_ALIAS',
      'ADD_ARTIFACT_TAG',
    ]);
    expect(events).toMatchObject([{}, { alias: 'latest' }, { alias: 'x' }, { tag: 'y' }]);
    const ref = `${t.project}/${collection.name}:v0`;
    expect(events[0]).toEqual({
      type: 'CREATE_ARTIFACT',
      actor: expect.objectContaining({ username: t.ada.username }),
      place: {
        teamId: expect.any(String),
        entity: t.ada.entity,
        project: { id: expect.any(Number), name: 'loom' },
        registry: null,
      },
      collection: { id: expect.any(String), name: collection.name, type: 'model' },
      version: { id: body['id'], index: 0, ref, source: ref, metadata: { a: 1 } },
    });
  });

  it('are numbered in order, and `latest` follows the newest', async () => {
    for (let n = 0; n < 3; n++) await t.version(collection);
    expect(pluck(await t.ask('GET', `${collection.path}/versions`), 'version')).toEqual(['v0', 'v1', 'v2']);
    expect(pluck(await t.ask('GET', `${collection.path}/versions?order=desc&limit=2`), 'version')).toEqual([
      'v2',
      'v1',
    ]);
    expect(pluck(await t.ask('GET', `${collection.path}/versions`), 'aliases')).toEqual([[], [], ['latest']]);
  });

  it('are paged by their ids', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(String((await t.version(collection)).body['id']));
    const page = await t.ask('GET', `${collection.path}/versions?after=${ids[0]}&limit=1`);
    expect(page.body).toMatchObject({ first_id: ids[1], has_more: true });
    expect((await t.ask('GET', `${collection.path}/versions?after=${ids[2]}`)).body['data']).toEqual([]);
    for (const after of ['v1', 'latest', '%00', '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11']) {
      expect((await t.ask('GET', `${collection.path}/versions?after=${after}`)).status).toBe(422);
    }
  });

  it('get different numbers when many come at once, and `latest` is the last of them', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => t.version(collection, { aliases: ['x'] })));
    expect(answers.map(({ body }) => body['version']).sort()).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']);
    expect(await aliasesOf('v7')).toEqual(['latest', 'x']);
    expect(t.events.takeTypes().filter((type) => type === 'CREATE_ARTIFACT')).toHaveLength(8);
  });

  it('are named by number, alias, digest and id', async () => {
    const { body } = await t.version(collection, { aliases: ['x'], files: [{ path: 'a', content: base64('1') }] });
    await t.version(collection);
    for (const name of ['v0', 'x', body['digest'], body['id']]) {
      expect((await t.ask('GET', at(String(name)))).body).toMatchObject({ id: body['id'], version: 'v0' });
    }
    for (const name of ['v2', 'v00', 'y', sha256('other'), '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11', 'v999999999999']) {
      expect((await t.ask('GET', at(name))).body['code']).toBe('version_not_found');
    }
  });

  it('with the same files have the same digest, which names the newest', async () => {
    const files = [{ path: 'a', content: base64('same') }];
    const { body } = await t.version(collection, { files, metadata: { n: 1 } });
    await t.version(collection, { files, metadata: { n: 2 } });
    expect((await t.ask('GET', at(String(body['digest'])))).body['version']).toBe('v1');
  });

  it('change their metadata as a whole, and never their files', async () => {
    await t.version(collection, { metadata: { a: 1, b: 2 }, description: 'Old' });
    expect((await t.ask('PATCH', at('v0'), { metadata: { a: 3 } })).body).toMatchObject({
      metadata: { a: 3 },
      description: 'Old',
    });
  });

  it('keep every JSON object as metadata, for events too', async () => {
    const metadata = JSON.parse(
      '{"a\\u0000":"\\u0000 \\ud800","constructor":1,"__proto__":{"x":2},"n":1e300}',
    ) as object;
    await t.version(collection, { metadata });
    expect(JSON.stringify((await t.ask('GET', at('v0'))).body['metadata'])).toBe(JSON.stringify(metadata));
    expect(t.events.take()[0]).toMatchObject({ version: { metadata: { 'a\0': '\0 \ud800', n: 1e300 } } });
  });

  it('are deleted for good: their number is not used again, and `latest` goes back', async () => {
    await t.version(collection);
    await t.version(collection, { aliases: ['x'] });
    t.events.take();
    expect((await t.ask('DELETE', at('v1'))).status).toBe(204);
    expect(await aliasesOf('v0')).toEqual(['latest']);
    expect(t.events.take()).toMatchObject([{ type: 'ADD_ARTIFACT_ALIAS', alias: 'latest', version: { index: 0 } }]);
    expect((await t.version(collection)).body['version']).toBe('v2');
    expect((await t.ask('GET', at('v1'))).status).toBe(404);
    expect((await t.ask('GET', at('x'))).status).toBe(404);
  });

  it('leave a collection without a `latest` when the last of them goes', async () => {
    await t.version(collection);
    await t.ask('DELETE', at('latest'));
    expect((await t.ask('GET', at('latest'))).status).toBe(404);
  });

  it('are not there at all where a label, a path or the event is refused', async () => {
    const files = [{ path: 'a', content: base64('lost') }];
    const refused = [
      [{ files, aliases: ['fine', 'v1'] }, ['body', 'aliases', '1']],
      [{ files: [...files, { path: '../b', content: '' }] }, ['body', 'files', '1', 'path']],
      [{ files: [...files, ...files] }, ['body', 'files', '1', 'path']],
      [{ files: [{ path: 'a', content: '!' }] }, ['body', 'files', '0', 'content']],
      [{ metadata: { big: 'x'.repeat(256 * 1024) } }, ['body', 'metadata']],
      [{ metadata: [] }, ['body', 'metadata']],
    ] as const;
    for (const [fields, loc] of refused) {
      expect((await t.version(collection, fields)).body['detail']).toMatchObject([{ loc }]);
    }
    expect((await t.events.refusing(() => t.version(collection, { files }))).status).toBe(500);
    expect((await t.ask('GET', `${collection.path}/versions`)).body['data']).toEqual([]);
    expect((await t.version(collection)).body['version']).toBe('v0');
  });
});
