import { pluck } from '../accounts/requests.js';
import { RegistryApi } from './registry-api.js';

describe('versions linked into a registry', () => {
  let t: RegistryApi;
  let registry: Awaited<ReturnType<RegistryApi['registry']>>;
  let versions: string;
  beforeAll(async () => {
    t = await RegistryApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    registry = await t.registry();
    versions = `${registry.collection}/versions`;
  });

  it('have numbers of their own, and keep their ref, metadata and id', async () => {
    const [a, b] = [await t.artifact('model', { accuracy: 0.9 }), await t.artifact()];
    await t.link(registry.collection, b.ref);
    const { status, body } = await t.link(registry.collection, `wandb-artifact:///${a.ref}`);
    expect([status, body]).toMatchObject([
      200,
      { id: a.id, version: 'v1', artifact: a.ref, metadata: { accuracy: 0.9 }, linked_by: t.admin.username },
    ]);
    expect(pluck(await t.ask('GET', versions), 'artifact')).toEqual([b.ref, a.ref]);
    expect(pluck(await t.ask('GET', versions), 'aliases')).toEqual([[], ['latest']]);
  });

  it('tell of it in one event that names the registry and the project', async () => {
    const { ref, id } = await t.artifact('model', { a: 1 });
    await t.link(registry.collection, ref);
    await t.link(registry.collection, ref);
    await t.ask('DELETE', `${versions}/v0`);
    const place = {
      teamId: t.team.id,
      entity: t.team.name,
      project: { id: expect.any(Number), name: 'loom' },
      registry: { id: expect.any(String), name: registry.name },
    };
    const subject = {
      actor: expect.objectContaining({ username: t.admin.username }),
      collection: { id: expect.any(String), name: 'agents', type: 'model' },
      version: { id, index: 0, ref: `${t.team.name}/${registry.name}/agents:v0`, source: ref, metadata: { a: 1 } },
    };
    expect(t.events.take()).toEqual([
      { type: 'LINK_ARTIFACT', place, ...subject },
      { type: 'ADD_ARTIFACT_ALIAS', alias: 'latest', place: { ...place, project: null }, ...subject },
      { type: 'UNLINK_ARTIFACT', place, ...subject },
    ]);
  });

  it('have aliases and tags of the registry, which are not those of the project', async () => {
    const { ref, path } = await t.artifact();
    await t.link(registry.collection, ref);
    await t.ask('PUT', `${path}/aliases/candidate`);
    await t.ask('PUT', `${path}/tags/small`);
    t.events.take();
    await t.ask('PUT', `${versions}/v0/aliases/production`);
    await t.ask('PUT', `${versions}/production/tags/approved`);
    expect((await t.ask('GET', `${versions}/v0`)).body).toMatchObject({
      aliases: ['latest', 'production'],
      tags: ['approved'],
    });
    expect((await t.ask('GET', path)).body).toMatchObject({ aliases: ['candidate', 'latest'], tags: ['small'] });
    expect(t.events.take()).toMatchObject([
      { type: 'ADD_ARTIFACT_ALIAS', alias: 'production', place: { project: null, registry: { name: registry.name } } },
      { type: 'ADD_ARTIFACT_TAG', tag: 'approved', place: { project: null, registry: { name: registry.name } } },
    ]);
    expect((await t.ask('DELETE', `${versions}/v0/tags/approved`)).status).toBe(204);
    expect((await t.ask('DELETE', `${versions}/v0/aliases/production`)).status).toBe(204);
    expect(t.events.takeTypes()).toEqual(['REMOVE_ARTIFACT_TAG']);
    expect((await t.ask('PUT', `${versions}/v0/aliases/v1`)).status).toBe(422);
  });

  it("are told of by the registry's own number, whichever the project's is", async () => {
    const first = await t.artifact();
    const { ref, path } = await t.artifact();
    const newer = path.replace('v0', 'v2');
    for (const _ of [1, 2]) await t.ask('POST', path.replace('/v0', ''), {});
    const source = ref.replace('v0', 'v2');
    await t.link(registry.collection, first.ref);
    t.events.take();
    await t.link(registry.collection, source);
    await t.ask('PUT', `${versions}/v1/aliases/production`);
    await t.ask('PUT', `${versions}/v1/tags/approved`);
    await t.ask('DELETE', `${versions}/v1/tags/approved`);
    await t.ask('DELETE', `${versions}/v1`);
    const own = { index: 1, ref: `${t.team.name}/${registry.name}/agents:v1`, source };
    const told = t.events.take().map((event) => ('version' in event ? event.version : null));
    expect(told.slice(0, -1)).toMatchObject(Array(6).fill(own));
    expect(told.at(-1)).toMatchObject({ index: 0, source: first.ref });
    await t.ask('PUT', `${newer}/aliases/candidate`);
    expect(t.events.take()).toMatchObject([{ version: { index: 2, ref: source, source } }]);
  });

  it("are found by refs with the registry's name, by those who may read it", async () => {
    const { ref, id } = await t.artifact('model', { a: 1 });
    await t.link(registry.collection, (await t.artifact()).ref);
    await t.link(registry.collection, ref);
    await t.ask('PUT', `${versions}/v1/aliases/production`);
    const of = `${t.team.name}/${registry.name}/agents`;
    const resolve = (name: string, ask = t.ask) => ask('GET', `/v1/artifact-refs?ref=${encodeURIComponent(name)}`);
    for (const name of [`wandb-artifact:///${of}:production`, `${of}:v1`, `${of}:${id}`, of])
      expect((await resolve(name)).body).toMatchObject({ id, version: 'v1', ref: `${of}:v1`, source: ref });
    expect((await resolve(ref)).body).toMatchObject({ id, version: 'v0', ref, source: ref });
    expect((await resolve(`${of}:v7`)).body['code']).toBe('version_not_found');
    expect((await resolve(`${of}:v1`, t.as(t.outsider))).body['code']).toBe('entity_not_found');
  });

  it('are linked from one registry into another', async () => {
    const { ref } = await t.artifact();
    await t.link(registry.collection, ref);
    const other = await t.registry();
    const answer = await t.link(other.collection, `${t.team.name}/${registry.name}/agents:latest`);
    expect(answer.body).toMatchObject({ version: 'v0', artifact: ref });
  });

  it('leave with their labels, and `latest` goes back', async () => {
    const [a, b] = [await t.artifact(), await t.artifact()];
    await t.link(registry.collection, a.ref);
    await t.link(registry.collection, b.ref);
    await t.ask('PUT', `${versions}/v1/aliases/production`);
    t.events.take();
    expect((await t.ask('DELETE', `${versions}/v1`)).status).toBe(204);
    expect((await t.ask('GET', `${versions}/latest`)).body['version']).toBe('v0');
    expect((await t.ask('GET', `${versions}/production`)).status).toBe(404);
    expect(t.events.take()).toMatchObject([
      { type: 'UNLINK_ARTIFACT', version: { id: b.id } },
      { type: 'ADD_ARTIFACT_ALIAS', alias: 'latest', version: { id: a.id } },
    ]);
    expect((await t.ask('GET', b.path)).status).toBe(200);
    expect((await t.link(registry.collection, b.ref)).body['version']).toBe('v2');
  });

  it('cannot be deleted in their project, nor can their collection', async () => {
    const { ref, path } = await t.artifact();
    await t.link(registry.collection, ref);
    const answer = await t.ask('DELETE', path);
    expect(answer.body).toMatchObject({
      code: 'version_linked',
      detail: `Still linked into '${t.team.name}/${registry.name}/agents': unlink it there first`,
    });
    expect((await t.ask('DELETE', path.replace(/\/versions.*/, ''))).status).toBe(409);
    await t.ask('DELETE', `${versions}/v0`);
    expect((await t.ask('DELETE', path)).status).toBe(204);
  });

  it('are linked or deleted, when both come at once, and never half', async () => {
    for (let round = 0; round < 8; round++) {
      const { ref, path, id } = await t.artifact();
      const [linked, deleted] = await Promise.all([t.link(registry.collection, ref), t.ask('DELETE', path)]);
      expect([linked.status, deleted.status]).toEqual(linked.status === 200 ? [200, 409] : [404, 204]);
      expect((await t.ask('GET', `${versions}/${id}`)).status).toBe(linked.status);
    }
  });

  it('are linked once, when many link at the same time', async () => {
    const { ref } = await t.artifact();
    const answers = await Promise.all(Array.from({ length: 5 }, () => t.link(registry.collection, ref)));
    expect(answers.map(({ body }) => body['version'])).toEqual(Array(5).fill('v0'));
    expect(t.events.takeTypes()).toEqual(['LINK_ARTIFACT', 'ADD_ARTIFACT_ALIAS']);
  });

  it('stay unlinked where the event can not be kept', async () => {
    const { ref } = await t.artifact();
    expect((await t.events.refusing(() => t.link(registry.collection, ref))).status).toBe(500);
    expect((await t.ask('GET', versions)).body['data']).toEqual([]);
  });

  it('go with their collection, each with its event', async () => {
    for (const { ref } of [await t.artifact(), await t.artifact()]) await t.link(registry.collection, ref);
    await t.ask('PUT', `${registry.collection}/tags/old`);
    expect(t.events.takeTypes().at(-1)).toBe('ADD_COLLECTION_TAG');
    expect((await t.ask('DELETE', registry.collection)).status).toBe(204);
    expect(t.events.takeTypes()).toEqual(['UNLINK_ARTIFACT', 'UNLINK_ARTIFACT']);
  });

  it('go with their registry, each with its event', async () => {
    await t.link(registry.collection, (await t.artifact()).ref);
    t.events.take();
    expect((await t.ask('DELETE', registry.path)).status).toBe(204);
    expect(t.events.take()).toMatchObject([
      { type: 'UNLINK_ARTIFACT', place: { registry: { name: registry.name }, project: { name: 'loom' } } },
    ]);
  });

  it('are of the type of their collection, and of the same team', async () => {
    const { ref } = await t.artifact('dataset');
    expect((await t.link(registry.collection, ref)).body['detail']).toMatchObject([{ type: 'artifact_type' }]);
    const other = await t.api.given.team();
    const both = await t.api.given.user({ teams: [other, t.team] });
    await t.ask('PUT', `${registry.path}/members/${both.username}`, { role: 'member' });
    const ask = t.as(both);
    await ask('POST', '/v1/projects', { entity: other.name, name: 'loom' });
    await ask('POST', `/v1/projects/${other.name}/loom/artifacts`, { name: 'a', type: 'model' });
    await ask('POST', `/v1/projects/${other.name}/loom/artifacts/a/versions`, {});
    const answer = await t.link(registry.collection, `${other.name}/loom/a`, ask);
    expect(answer.body['detail']).toMatchObject([{ loc: ['body', 'artifact'], type: 'other_team' }]);
  });

  it('are linked by those only who may read them', async () => {
    const { ref } = await t.artifact();
    await t.ask('PUT', `${registry.path}/members/${t.outsider.username}`, { role: 'member' });
    const ask = t.as(t.outsider);
    expect((await t.link(registry.collection, ref, ask)).body['code']).toBe('entity_not_found');
    await t.ask('PUT', `/v1/projects/${t.project}/members/${t.outsider.username}`, { role: 'viewer' });
    expect((await t.link(registry.collection, ref, ask)).status).toBe(200);
  });

  it.each(['', 'agents', 'a/b/c/d', 'wandb-artifact:/a/b/c', 'a/b/c:\0'])('are not named by %j', async (artifact) => {
    expect((await t.link(registry.collection, artifact)).status).toBe(422);
  });
});
