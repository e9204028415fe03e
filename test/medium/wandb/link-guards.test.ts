import { type SdkClient } from './sdk-client.js';
import { SECRET, TwoTeams } from './two-teams.js';

describe('versions that a registry links', () => {
  let t: TwoTeams;
  const link = (user: SdkClient, artifact: string, registry: string) =>
    user.ask(`mutation { linkArtifact(input: {artifactID: "${artifact}", artifactPortfolioName: "prod",
        entityName: "${t.ada.user.entity}", projectName: "wandb-registry-${registry}"}) { versionIndex } }`);

  beforeAll(async () => {
    t = await TwoTeams.start();
    await t.ada.upsert({ name: 'private' });
    await t.rest.ada('POST', '/v1/registries', { name: 'releases' });
    expect((await link(t.ada, t.version, 'releases')).errors).toBeUndefined();
    const viewer = `/v1/registries/${t.ada.user.entity}/releases/members/${t.eve.user.username}`;
    expect((await t.rest.ada('PUT', viewer, { role: 'viewer' })).status).toBe(200);
    await t.rest.ada('POST', '/v1/registries', { name: 'closed' });
  });

  afterAll(() => t.api.close());

  it('are read by those who may read the registry, and lead them no further', async () => {
    expect(await t.eves.contents(t.version)).toEqual({ 'secret.txt': SECRET });
    const names = `artifactSequence { name project { id internalId name entity { name } } } aliases { artifactCollection { name } }`;
    const byLink = `project(name: "wandb-registry-releases", entityName: "${t.ada.user.entity}") {
        artifactCollectionMembership(name: "prod:v0") { artifact { ${names} } } }`;
    expect(await t.eve.get(`{ artifact(id: "${t.version}") { ${names} } ${byLink} }`)).toMatchObject({
      artifact: { artifactSequence: { name: 'data', project: { name: 'loom', entity: { name: t.ada.user.entity } } } },
    });
    for (const further of [
      'artifactSequence { description }',
      'artifactSequence { artifacts { edges { node { id } } } }',
      'artifactSequence { artifactMembership(aliasName: "v0") { id } }',
      'artifactSequence { latestArtifact { id } }',
      'artifactSequence { project { runs { edges { node { id } } } } }',
      'artifactSequence { project { run(name: "private") { id } } }',
      'artifactSequence { project { artifactCollections { edges { node { id } } } } }',
      'artifactSequence { project { artifact(name: "data:v0") { id } } }',
      'artifactSequence { project { entity { members { username } } } }',
      'artifactSequence { project { entity { storageBytes } } }',
      'artifactMemberships { edges { node { artifactCollection { artifacts { edges { node { id } } } } } } }',
    ]) {
      for (const query of [
        `{ artifact(id: "${t.version}") { ${further} } }`,
        `{ ${byLink.replace(names, further)} }`,
      ]) {
        const { errors } = await t.eve.ask(query);
        expect([further, errors?.[0]?.extensions.code]).toEqual([further, 'PERMISSION_ERROR']);
        expect((await t.ada.ask(query)).errors).toBeUndefined();
      }
    }
  });

  it.each(['releases', 'closed'])('are not linked into %s by others', async (registry) => {
    const mine = await t.eves.version('mine', 'a', registry);
    const { errors } = await link(t.eve, mine, registry);
    expect(errors?.[0]?.extensions.code).toBe('PERMISSION_ERROR');
    const { body } = await t.rest.ada('GET', `/v1/registries/${t.ada.user.entity}/${registry}/collections`);
    expect((body['data'] as { name: string }[]).map(({ name }) => name)).toEqual(registry === 'closed' ? [] : ['prod']);
  });
});
