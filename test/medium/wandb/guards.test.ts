import { randomUUID } from 'node:crypto';
import { md5 } from './sdk-artifact-client.js';
import { type GraphqlAnswer, type SdkClient } from './sdk-client.js';
import { SECRET, TwoTeams } from './two-teams.js';

/** By ids of things, which whoever has them once has for ever. */
const BY_ID: readonly [string, 'run' | 'version' | 'draft' | 'manifest' | 'collection', string][] = [
  ['upsertBucket', 'run', 'mutation { upsertBucket(input: {id: "$ID", notes: "x"}) { inserted } }'],
  ['stopRun', 'run', 'mutation { stopRun(input: {id: "$ID"}) { success } }'],
  ['deleteRun', 'run', 'mutation { deleteRun(input: {id: "$ID", deleteArtifacts: true}) { success } }'],
  ['updateRunState', 'run', 'mutation { updateRunState(input: {id: "$ID", state: "failed"}) { success } }'],
  ['deleteFiles', 'run', 'mutation { deleteFiles(input: {files: ["$ID:secret.txt"]}) { success } }'],
  [
    'artifactCollection',
    'collection',
    '{ artifactCollection(id: "$ID") { name artifacts { edges { node { id } } } } }',
  ],
  [
    'updateArtifactSequence',
    'collection',
    'mutation { updateArtifactSequence(input: {artifactSequenceID: "$ID", description: "x"}) { artifactCollection { name } } }',
  ],
  [
    'deleteArtifactSequence',
    'collection',
    'mutation { deleteArtifactSequence(input: {artifactSequenceID: "$ID"}) { artifactCollection { name } } }',
  ],
  [
    'updateArtifact',
    'version',
    'mutation { updateArtifact(input: {artifactID: "$ID", description: "x"}) { artifact { id } } }',
  ],
  [
    'deleteArtifact',
    'version',
    'mutation { deleteArtifact(input: {artifactID: "$ID", deleteAliases: true}) { artifact { id } } }',
  ],
  [
    'useArtifact',
    'version',
    'mutation { useArtifact(input: {artifactID: "$ID", entityName: "$EVE", projectName: "loom", runName: "mine"}) { artifact { id } } }',
  ],
  [
    'addAliases',
    'version',
    'mutation { addAliases(input: {artifactID: "$ID", aliases: [{entityName: "$ADA", projectName: "loom", artifactCollectionName: "data", alias: "x"}]}) { success } }',
  ],
  [
    'deleteAliases',
    'version',
    'mutation { deleteAliases(input: {artifactID: "$ID", aliases: [{entityName: "$ADA", projectName: "loom", artifactCollectionName: "data", alias: "prod"}]}) { success } }',
  ],
  [
    'linkArtifact',
    'version',
    'mutation { linkArtifact(input: {artifactID: "$ID", artifactPortfolioName: "p", entityName: "$EVE", projectName: "wandb-registry-hers"}) { versionIndex } }',
  ],
  ['commitArtifact', 'draft', 'mutation { commitArtifact(input: {artifactID: "$ID"}) { artifact { id } } }'],
  [
    'createArtifactManifest',
    'draft',
    'mutation { createArtifactManifest(input: {artifactID: "$ID", name: "m", digest: "", entityName: "$EVE", projectName: "loom", runName: ""}) { artifactManifest { id } } }',
  ],
  [
    'createArtifactFiles',
    'draft',
    'mutation { createArtifactFiles(input: {artifactFiles: [{artifactID: "$ID", name: "a", md5: "$MD5"}]}) { files { edges { node { uploadUrl } } } } }',
  ],
  [
    'updateArtifactManifest',
    'manifest',
    'mutation { updateArtifactManifest(input: {artifactManifestID: "$ID"}) { artifactManifest { id } } }',
  ],
];

describe("another team's runs and artifacts", () => {
  let t: TwoTeams;
  let ids: Record<(typeof BY_ID)[number][1], string>;
  beforeAll(async () => {
    t = await TwoTeams.start();
    const { version, ada, adas } = t;
    const { id: run } = await ada.upsert({ name: 'private', notes: 'of ada' });
    await t.eve.upsert({ name: 'mine' });
    await t.rest.eve('POST', '/v1/registries', { name: 'hers' });
    await t.rest.ada('PUT', `/v1/projects/${ada.user.entity}/loom/artifacts/data/versions/v0/aliases/prod`);
    const draft = await adas.draft('data');
    const { id: manifest } = await adas.manifest(draft);
    const { artifact } = await ada.get<{ artifact: { artifactSequence: { id: string } } }>(
      `{ artifact(id: "${version}") { artifactSequence { id } } }`,
    );
    ids = { run, version, draft, manifest, collection: artifact.artifactSequence.id };
  });
  afterAll(() => t.api.close());

  const fill = (query: string, id: string): string =>
    query
      .replaceAll('$ID', id)
      .replaceAll('$EVE', t.eve.user.entity)
      .replaceAll('$ADA', t.ada.user.entity)
      .replaceAll('$MD5', md5(SECRET));
  const problemOf = ({ errors }: GraphqlAnswer, id: string): string | undefined =>
    errors?.[0]?.message.replaceAll(id, '<id>');

  it.each(BY_ID)('are to %s by their ids as what does not exist', async (_name, kind, query) => {
    const answer = await t.eve.ask(fill(query, ids[kind]));
    const nothing = randomUUID();
    const missing = await t.eve.ask(fill(query, nothing));
    expect(problemOf(answer, ids[kind])).toEqual(expect.stringMatching(/not found/));
    expect(problemOf(answer, ids[kind])).toBe(problemOf(missing, nothing));
    expect(JSON.stringify(answer)).not.toContain(t.ada.user.entity);
  });

  it('are as they were after all of that', async () => {
    expect(await t.ada.rest('runs/private')).toMatchObject({ notes: 'of ada', state: 'RUNNING' });
    expect(await t.ada.rest('artifacts/data/versions/v0')).toMatchObject({
      aliases: ['latest', 'prod'],
      description: null,
    });
    expect(await t.adas.contents(ids.version)).toEqual({ 'secret.txt': SECRET });
    expect((await t.rest.eve('GET', `/v1/registries/${t.eve.user.entity}/hers/collections`)).body['data']).toEqual([]);
  });

  it('are not read by their ids either', async () => {
    const answer = await t.eve.get(`{ artifact(id: "${ids.version}") { id } }`);
    expect(answer).toEqual({ artifact: null });
    const path = `artifactsV2/default/${t.ada.user.entity}/loom/data/${ids.version}`;
    const hex = Buffer.from(md5(SECRET), 'base64').toString('hex');
    const get = (user: SdkClient) => fetch(`${t.api.url}/${path}/${hex}/secret.txt`, { headers: user.user.basic });
    expect(await (await get(t.ada)).text()).toBe(SECRET);
    expect((await get(t.eve)).status).toBe(404);
  });

  it.each([
    'graphql',
    'files/ENTITY/loom/private/file_stream',
    'files/ENTITY/loom/private/config.yaml',
    'artifactsV2/default/ENTITY/loom/data/ID/00/a',
  ])('are nobody’s at /%s without a key that is good', async (path) => {
    const url = `${t.api.url}/${path.replace('ENTITY', t.ada.user.entity).replace('ID', ids.version)}`;
    const method = /graphql|file_stream/.test(path) ? 'POST' : 'GET';
    const wrong = { authorization: `Basic ${btoa(`api:${'w'.repeat(43)}`)}` };
    for (const headers of [{}, wrong]) {
      const answer = await fetch(url, { method, headers, ...(method === 'POST' && { body: '{}' }) });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
    }
  });
});
