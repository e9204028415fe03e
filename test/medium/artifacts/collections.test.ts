import { as, pluck } from '../accounts/requests.js';
import { ArtifactApi } from './artifact-api.js';

describe('collections of artifacts', () => {
  let t: ArtifactApi;
  beforeAll(async () => {
    t = await ArtifactApi.start();
  });
  afterAll(() => t.close());

  it('are made with a name, a type and a description', async () => {
    const { status, body } = await t.ask('POST', t.artifacts, {
      name: 'näme 1',
      type: 'dataset',
      description: 'Mails\nof May',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'näme 1',
      type: 'dataset',
      description: 'Mails\nof May',
      tags: [],
      created_by: t.ada.username,
    });
    expect((await t.ask('GET', `${t.artifacts}/n%C3%A4me%201`)).body).toEqual(body);
  });

  it('have names that are unique in the project', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => t.ask('POST', t.artifacts, { name: 'same', type: 'model' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('are described anew, and not', async () => {
    const { path } = await t.collection();
    expect((await t.ask('PATCH', path, { description: 'New' })).body['description']).toBe('New');
    expect((await t.ask('PATCH', path, {})).body['description']).toBe('New');
    expect((await t.ask('PATCH', path, { description: null })).body['description']).toBeNull();
  });

  it('are tagged once and untagged once, with an event each time', async () => {
    const { name, path } = await t.collection();
    expect((await t.ask('PUT', `${path}/tags/in%2Fuse`)).body['tags']).toEqual(['in/use']);
    await t.ask('PUT', `${path}/tags/in%2Fuse`);
    expect(t.events.take()).toMatchObject([
      { type: 'ADD_COLLECTION_TAG', tag: 'in/use', collection: { name, type: 'model' }, place: { registry: null } },
    ]);
    expect((await t.ask('DELETE', `${path}/tags/in%2Fuse`)).status).toBe(204);
    const again = await t.ask('DELETE', `${path}/tags/in%2Fuse`);
    expect([again.status, again.body['code']]).toEqual([404, 'tag_not_found']);
    expect(t.events.takeTypes()).toEqual(['REMOVE_COLLECTION_TAG']);
  });

  it('are listed by type and by tag, in pages', async () => {
    const [a, b] = [await t.collection('evaluation'), await t.collection('evaluation')];
    await t.ask('PUT', `${b.path}/tags/listed`);
    expect(pluck(await t.ask('GET', `${t.artifacts}?type=evaluation`), 'name')).toEqual([a.name, b.name]);
    expect(pluck(await t.ask('GET', `${t.artifacts}?tag=listed`), 'name')).toEqual([b.name]);
    const page = await t.ask('GET', `${t.artifacts}?type=evaluation&limit=1`);
    expect([pluck(page, 'name'), page.body['has_more']]).toEqual([[a.name], true]);
  });

  it('are deleted with all that is in them', async () => {
    const collection = await t.collection();
    await t.version(collection, { files: [{ path: 'a', content: 'AAAA' }] });
    expect((await t.ask('DELETE', collection.path)).status).toBe(204);
    expect((await t.ask('GET', `${collection.path}/versions`)).body['code']).toBe('collection_not_found');
    const { rows } = await t.api.database.pool.query('SELECT FROM artifact_blobs');
    expect(rows).toEqual([]);
  });

  it('are invisible to another team, and read-only to viewers', async () => {
    const collection = await t.collection();
    await t.version(collection);
    const draft = await t.draft(collection);
    const eve = as(t.api, await t.api.given.member());
    const viewer = await t.api.given.user();
    await t.api.database.pool.query(
      "INSERT INTO project_members (project_id, user_id, role) SELECT id, $1, 'viewer' FROM projects",
      [viewer.id],
    );
    const asViewer = as(t.api, viewer);
    const { path } = collection;
    const calls = [
      ['GET', path, 200],
      ['PATCH', path, 403],
      ['DELETE', path, 403],
      ['PUT', `${path}/tags/x`, 403],
      ['DELETE', `${path}/tags/x`, 403],
      ['GET', `${path}/versions`, 200],
      ['POST', `${path}/versions`, 403],
      ['GET', `${path}/versions/v0`, 200],
      ['PATCH', `${path}/versions/v0`, 403],
      ['DELETE', `${path}/versions/v0`, 403],
      ['PUT', `${path}/versions/v0/aliases/x`, 403],
      ['DELETE', `${path}/versions/v0/aliases/x`, 403],
      ['PUT', `${path}/versions/v0/tags/x`, 403],
      ['DELETE', `${path}/versions/v0/tags/x`, 403],
      ['GET', `${path}/versions/v0/files`, 200],
      ['GET', `${path}/versions/v0/files/a`, 404],
      ['POST', `${path}/drafts`, 403],
      ['GET', draft, 403],
      ['GET', `${draft}/files`, 403],
      ['PUT', `${draft}/files/a`, 403],
      ['DELETE', `${draft}/files/a`, 403],
      ['POST', `${draft}/commit`, 403],
      ['DELETE', draft, 403],
      ['GET', `/v1/artifact-refs?ref=${t.project}/${collection.name}`, 200],
    ] as const;
    for (const [method, route, status] of calls) {
      expect([method, route, (await asViewer(method, route)).status]).toEqual([method, route, status]);
      expect([method, route, (await eve(method, route)).body['code']]).toEqual([method, route, 'entity_not_found']);
    }
  });

  it.each([
    [{ type: 'model' }],
    [{ name: '', type: 'model' }],
    [{ name: 'a/b', type: 'model' }],
    [{ name: 'a:b', type: 'model' }],
    [{ name: '.', type: 'model' }],
    [{ name: '..', type: 'model' }],
    [{ name: 'a\0b', type: 'model' }],
    [{ name: 'a\nb', type: 'model' }],
    [{ name: '\ud83d', type: 'model' }],
    [{ name: 'n'.repeat(129), type: 'model' }],
    [{ name: ['a'], type: 'model' }],
    [{ name: 'a', type: '' }],
    [{ name: 'a', type: 'model', description: 'a\0b' }],
    [{ name: 'a', type: 'model', description: '\udc00' }],
  ])('refuse %j', async (body) => {
    expect((await t.ask('POST', t.artifacts, body)).status).toBe(422);
  });
});
