import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpireArtifactsHandler } from '@heddle/artifacts';
import { as, type Ask } from '../accounts/requests.js';
import { ArtifactApi, base64, sha256 } from './artifact-api.js';

describe('versions with a time to live', () => {
  let t: ArtifactApi;
  let admin: Ask;
  let collection: { name: string; path: string };
  beforeAll(async () => {
    t = await ArtifactApi.start();
    const { body } = await t.ask('GET', `/v1/teams/${t.ada.entity}`);
    admin = as(t.api, await t.api.given.user({ teams: [{ id: String(body['id']), role: 'admin' }] }));
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    collection = await t.collection();
  });

  const version = (fields: object = {}, content = 'x', at = collection) =>
    t.version(at, { files: [{ path: 'a', content: base64(content) }], ...fields });
  /** Lets hours pass since the versions of a collection were made, then the job run. */
  const pass = async (hours: number, { name } = collection): Promise<void> => {
    const sql = `UPDATE artifact_versions SET created_at = now() - make_interval(hours => $2)
                  WHERE collection_id = (SELECT id FROM artifact_collections WHERE name = $1)`;
    await t.api.database.pool.query(sql, [name, hours]);
    await t.api.provider(ExpireArtifactsHandler).handle();
  };
  const left = async ({ path } = collection): Promise<unknown[]> => {
    const { body } = await t.ask('GET', `${path}/versions`);
    return (body['data'] as { version: string }[]).map((each) => each.version);
  };
  const HOUR = 3600;

  it('go when it is over, with their files, and latest goes back', async () => {
    await version({}, 'stays');
    const { body } = await version({ ttl_seconds: 2 * HOUR }, 'goes');
    expect(new Date(body['expires_at'] as string).getTime()).toBe(
      new Date(body['created_at'] as string).getTime() + 2 * HOUR * 1000,
    );
    await pass(1);
    expect(await left()).toEqual(['v0', 'v1']);
    t.events.take();
    await pass(3);
    expect(await left()).toEqual(['v0']);
    const stored = (content: string): boolean =>
      existsSync(join(t.api.env.DATA_DIR, 'artifacts', 'sha256', sha256(content).slice(0, 2), sha256(content)));
    expect([stored('stays'), stored('goes')]).toEqual([true, false]);
    expect(t.events.take()).toMatchObject([{ type: 'ADD_ARTIFACT_ALIAS', alias: 'latest', version: { index: 0 } }]);
  });

  it('inherit it from their collection, and that from the team', async () => {
    const other = await t.collection();
    const team = `/v1/teams/${t.ada.entity}`;
    for (const at of [collection, other]) await version({}, 'x', at);
    await version({ ttl_seconds: 0 });
    expect((await admin('PATCH', team, { artifact_ttl_seconds: 2 * HOUR })).body).toMatchObject({
      artifact_ttl_seconds: 2 * HOUR,
    });
    expect((await t.ask('PATCH', collection.path, { ttl_seconds: 5 * HOUR })).body).toMatchObject({
      ttl_seconds: 5 * HOUR,
    });
    expect((await t.ask('GET', `${collection.path}/versions/v1`)).body).toMatchObject({
      ttl_seconds: 0,
      expires_at: null,
    });
    await pass(3);
    await pass(3, other);
    expect([await left(), await left(other)]).toEqual([['v0', 'v1'], []]);
    await pass(6);
    expect(await left()).toEqual(['v1']);
    // Its word is taken back: it inherits again.
    await t.ask('PATCH', `${collection.path}/versions/v1`, { ttl_seconds: null });
    await t.ask('PATCH', collection.path, { ttl_seconds: 0 });
    await pass(9);
    expect(await left()).toEqual(['v1']);
    await admin('PATCH', team, { artifact_ttl_seconds: null });
  });

  it('stay while a registry links them', async () => {
    await admin('POST', `/v1/registries`, { entity: t.ada.entity, name: 'kept' });
    const at = `/v1/registries/${t.ada.entity}/kept/collections`;
    await admin('POST', at, { name: 'prod', type: 'model' });
    const { body } = await version({ ttl_seconds: HOUR });
    const linked = await admin('POST', `${at}/prod/versions`, { artifact: body['ref'] });
    expect(linked.status).toBe(200);
    await pass(3);
    expect(await left()).toEqual(['v0']);
    await admin('DELETE', `${at}/prod/versions/v0`);
    await pass(3);
    expect(await left()).toEqual([]);
  });

  it('go also when those who made them are gone', async () => {
    await version({ ttl_seconds: HOUR });
    await t.api.database.pool.query(`UPDATE artifact_versions SET created_by = 'nobody-any-more'`);
    await pass(3);
    expect(await left()).toEqual([]);
  });

  it.each([[-1], [0.5], ['soon'], [1e12]])('take no time of %j', async (ttl_seconds) => {
    expect((await version({ ttl_seconds })).status).toBe(422);
  });

  it('are not what clients make by themselves', async () => {
    const tables = await t.collection('run_table');
    expect((await version({ ttl_seconds: HOUR }, 'x', tables)).status).toBe(422);
    await admin('PATCH', `/v1/teams/${t.ada.entity}`, { artifact_ttl_seconds: 1 });
    await version({}, 'x', tables);
    await pass(3, tables);
    expect(await left(tables)).toEqual(['v0']);
    await admin('PATCH', `/v1/teams/${t.ada.entity}`, { artifact_ttl_seconds: null });
  });

  it('are for the administrators of a team to say by default', async () => {
    const eve = as(t.api, await t.api.given.member());
    const statuses = [t.ask, eve].map(
      async (ask) => (await ask('PATCH', `/v1/teams/${t.ada.entity}`, { artifact_ttl_seconds: 1 })).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 404]);
  });
});
