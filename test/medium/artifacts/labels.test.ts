import { pluck } from '../accounts/requests.js';
import { ArtifactApi, sha256 } from './artifact-api.js';

describe('labels of versions', () => {
  let t: ArtifactApi;
  let collection: { name: string; path: string };
  beforeAll(async () => {
    t = await ArtifactApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    collection = await t.collection();
    for (let n = 0; n < 3; n++) await t.version(collection);
    t.events.take();
  });

  const at = (version: string): string => `${collection.path}/versions/${version}`;
  const put = (version: string, label: string) => t.ask('PUT', `${at(version)}/${label}`);
  const remove = (version: string, label: string) => t.ask('DELETE', `${at(version)}/${label}`);

  it('an alias sits on one version at a time', async () => {
    expect((await put('v0', 'aliases/prod')).body['aliases']).toEqual(['prod']);
    expect((await put('v1', 'aliases/prod')).body['aliases']).toEqual(['prod']);
    expect(pluck(await t.ask('GET', `${collection.path}/versions`), 'aliases')).toEqual([[], ['prod'], ['latest']]);
    expect(t.events.take()).toMatchObject([
      { type: 'ADD_ARTIFACT_ALIAS', alias: 'prod', version: { index: 0 } },
      { type: 'ADD_ARTIFACT_ALIAS', alias: 'prod', version: { index: 1 } },
    ]);
  });

  it('an alias that sits there already changes nothing, and tells nobody', async () => {
    await put('v0', 'aliases/prod');
    t.events.take();
    expect((await put('prod', 'aliases/prod')).status).toBe(200);
    expect(t.events.take()).toEqual([]);
  });

  it('an alias that many move at once ends on one version, with an event for each move', async () => {
    await Promise.all(['v0', 'v1', 'v2', 'v0', 'v1', 'v2', 'v0', 'v1'].map((version) => put(version, 'aliases/prod')));
    const aliases = pluck(await t.ask('GET', `${collection.path}/versions`), 'aliases').flat();
    expect(aliases.filter((alias) => alias === 'prod')).toHaveLength(1);
    const moves = t.events.take();
    const last = moves.at(-1) as { version: { index: number } };
    expect(moves.length).toBeGreaterThan(0);
    expect((await t.ask('GET', at('prod'))).body['version']).toBe(`v${last.version.index}`);
  });

  it('an alias stays where it was if the event can not be kept', async () => {
    await put('v0', 'aliases/prod');
    expect((await t.events.refusing(() => put('v1', 'aliases/prod'))).status).toBe(500);
    expect((await t.ask('GET', at('prod'))).body['version']).toBe('v0');
  });

  it('an alias is removed from the version that has it, and tells nobody', async () => {
    await put('v0', 'aliases/prod');
    t.events.take();
    expect((await remove('v1', 'aliases/prod')).body['code']).toBe('alias_not_found');
    expect((await remove('v0', 'aliases/prod')).status).toBe(204);
    expect((await t.ask('GET', at('prod'))).status).toBe(404);
    expect(t.events.take()).toEqual([]);
  });

  it('aliases of one collection are not those of another', async () => {
    const other = await t.collection();
    await t.version(other);
    await put('v0', 'aliases/prod');
    await t.ask('PUT', `${other.path}/versions/v0/aliases/prod`);
    expect((await t.ask('GET', at('prod'))).body['version']).toBe('v0');
  });

  it('tags are added and removed once, with an event each time', async () => {
    expect((await put('v0', 'tags/good')).body['tags']).toEqual(['good']);
    expect((await put('v1', 'tags/good')).body['tags']).toEqual(['good']);
    await put('v0', 'tags/good');
    expect(t.events.take()).toMatchObject([
      { type: 'ADD_ARTIFACT_TAG', tag: 'good', version: { index: 0 } },
      { type: 'ADD_ARTIFACT_TAG', tag: 'good', version: { index: 1 } },
    ]);
    expect(pluck(await t.ask('GET', `${collection.path}/versions?tag=good`), 'version')).toEqual(['v0', 'v1']);
    expect((await remove('v0', 'tags/good')).status).toBe(204);
    expect((await remove('v0', 'tags/good')).body['code']).toBe('tag_not_found');
    expect(t.events.take()).toMatchObject([{ type: 'REMOVE_ARTIFACT_TAG', tag: 'good', version: { index: 0 } }]);
  });

  it('keeps a tag where the event can not be kept', async () => {
    await put('v0', 'tags/good');
    expect((await t.events.refusing(() => remove('v0', 'tags/good'))).status).toBe(500);
    expect((await t.ask('GET', at('v0'))).body['tags']).toEqual(['good']);
  });

  it.each(['latest', 'v0', 'v17', sha256('x'), '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11', 'a:b', 'a%2Fb', '%0A', 'a%00'])(
    'nobody gives the alias %s',
    async (alias) => {
      expect((await put('v0', `aliases/${alias}`)).status).toBe(422);
    },
  );

  it('nobody takes `latest` from the newest version and leaves it nowhere', async () => {
    expect((await remove('v2', 'aliases/latest')).status).toBe(422);
    expect((await t.ask('GET', at('latest'))).body['version']).toBe('v2');
  });
});
