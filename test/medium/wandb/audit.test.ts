import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { UNAUDITED } from '../../../libs/wandb/src/graphql/audited-mutations.js';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { as } from '../accounts/requests.js';
import { SdkClient } from './sdk-client.js';

type Json = Record<string, unknown>;

const mutations = buildSchema(readFileSync('libs/wandb/src/graphql/schema.graphql', 'utf8')).getMutationType()!;
const MANIFEST = {
  ...{ version: 1, storagePolicy: 'wandb-storage-policy-v1', storagePolicyConfig: { storageLayout: 'V2' } },
  contents: {},
};

describe('What people change over GraphQL', () => {
  let api: TestApi;
  let ada: GivenUser;
  let sdk: SdkClient;
  /** What the mutations below made, by the names that they have here. */
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    api = await startApi();
    const team = await api.given.team('weavers');
    // Another team comes first, so that nothing is found by default.
    const other = await api.given.team('others');
    ada = await api.given.user({
      username: 'ada',
      teams: [
        { id: other.id, role: 'admin' },
        { id: team.id, role: 'admin' },
      ],
    });
    await api.given.user({ username: 'ben', teams: [{ id: team.id }] });
    sdk = new SdkClient(api, { ...ada, entity: 'weavers' });
  });
  afterAll(() => api.close());

  /** @param select of the answer */
  async function change<T = Json>(name: string, input: Json, select = '__typename', by = sdk): Promise<T> {
    const type = String(mutations.getFields()[name]!.args[0]!.type);
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${select} } }`;
    return ((await by.get<Json>(query, { input })) as Record<string, T>)[name]!;
  }

  const entries = async (): Promise<Json[]> =>
    (await as(api, ada)('GET', '/v1/audit-log?limit=100&order=asc')).body['data'] as Json[];

  async function version(name: string): Promise<string> {
    const place = { entityName: 'weavers', projectName: 'loom', runName: 'nightly' };
    const { artifact } = await change<{ artifact: { id: string } }>(
      'createArtifact',
      {
        ...{ ...place, artifactTypeName: 'model', artifactCollectionName: name },
        ...{ digest: name, aliases: [], enableDigestDeduplication: true },
      },
      'artifact { id }',
    );
    const { artifactManifest } = await change<{ artifactManifest: { file: { uploadUrl: string } } }>(
      'createArtifactManifest',
      { ...place, artifactID: artifact.id, name: 'wandb_manifest.json', digest: '' },
      'artifactManifest { file { uploadUrl } }',
    );
    const { uploadUrl } = artifactManifest.file;
    expect((await fetch(uploadUrl, { method: 'PUT', body: JSON.stringify(MANIFEST) })).ok).toBe(true);
    await change('commitArtifact', { artifactID: artifact.id });
    return artifact.id;
  }

  /** Makes what there is to be changed. */
  async function prepare(): Promise<void> {
    const { id } = await sdk.upsert({ name: 'nightly' });
    ids['run'] = id;
    ids['user'] = (await sdk.get<{ users: { edges: { node: { id: string } }[] } }>(
      '{ users(query: "ben") { edges { node { id } } } }',
    ))!.users.edges[0]!.node.id;
    ids['model'] = await version('chat-model');
    ids['spare'] = await version('spare');
    const collection = (project: string, name: string) => `project(name: "${project}", entityName: "weavers") {
      id artifactCollection(name: "${name}") { id } }`;
    const collectionOf = async (project: string, name: string) =>
      (
        await sdk.get<{ project: { id: string; artifactCollection: { id: string } } }>(
          `{ ${collection(project, name)} }`,
        )
      ).project;
    ids['sequence'] = (await collectionOf('loom', 'chat-model')).artifactCollection.id;
    ids['spareSequence'] = (await collectionOf('loom', 'spare')).artifactCollection.id;
    await change('upsertModel', { entityName: 'weavers', name: 'wandb-registry-releases' });
    await change('linkArtifact', {
      ...{ artifactID: ids['model'], artifactPortfolioName: 'chat-model' },
      ...{ entityName: 'weavers', projectName: 'wandb-registry-releases' },
    });
    const registry = await collectionOf('wandb-registry-releases', 'chat-model');
    ids['registry'] = registry.id;
    ids['portfolio'] = registry.artifactCollection.id;
  }

  /** In this order: each mutation, what it is sent, and how the log calls what was changed. */
  const CHANGES: [name: string, input: () => Json, subject: () => string | undefined][] = [
    ['upsertModel', () => ({ entityName: 'weavers', name: 'shed' }), () => 'weavers/shed'],
    ['upsertBucket', () => ({ id: ids['run'], notes: 'the good one' }), () => 'weavers/loom/nightly'],
    ['updateRunState', () => ({ id: ids['run'], state: 'finished' }), () => 'weavers/loom/nightly'],
    ['stopRun', () => ({ id: ids['run'] }), () => 'weavers/loom/nightly'],
    [
      'rewindRun',
      () => ({
        ...{ runName: 'nightly', entityName: 'weavers', projectName: 'loom' },
        ...{ metricName: '_step', metricValue: 0 },
      }),
      () => 'weavers/loom/nightly',
    ],
    ['deleteFiles', () => ({ files: [`${ids['run']}:config.yaml`] }), () => `${ids['run']}:config.yaml`],
    [
      'createArtifact',
      () => ({
        ...{
          entityName: 'weavers',
          projectName: 'loom',
          artifactTypeName: 'model',
          artifactCollectionName: 'chat-model',
        },
        ...{ digest: 'chat-model', enableDigestDeduplication: true, aliases: [{ alias: 'again' }] },
      }),
      () => 'weavers/loom/chat-model:v0',
    ],
    ['commitArtifact', () => ({ artifactID: ids['model'] }), () => 'weavers/loom/chat-model:v0'],
    [
      'updateArtifact',
      () => ({
        artifactID: ids['model'],
        description: 'good',
        ttlDurationSeconds: 86_400,
        tagsToAdd: [{ tagName: 'x' }],
      }),
      () => 'weavers/loom/chat-model:v0',
    ],
    ['addAliases', () => aliases('prod'), () => 'weavers/loom/chat-model:v0'],
    ['deleteAliases', () => aliases('prod'), () => 'weavers/loom/chat-model:v0'],
    [
      'updateArtifactSequence',
      () => ({ artifactSequenceID: ids['sequence'], description: 'answers mail' }),
      () => 'weavers/loom/chat-model',
    ],
    [
      'updateArtifactPortfolio',
      () => ({ artifactPortfolioID: ids['portfolio'], description: 'answers mail' }),
      () => 'weavers/wandb-registry-releases/chat-model',
    ],
    ['createArtifactCollectionTagAssignments', () => tags('public'), () => 'chat-model'],
    ['deleteArtifactCollectionTagAssignments', () => tags('public'), () => 'chat-model'],
    ['createProjectMembers', () => ({ projectId: ids['registry'], userIds: [ids['user']] }), () => ids['registry']],
    [
      'updateProjectMember',
      () => ({ projectId: ids['registry'], userId: ids['user'], userProjectRole: 'member' }),
      () => ids['registry'],
    ],
    ['deleteProjectMembers', () => ({ projectId: ids['registry'], userIds: [ids['user']] }), () => ids['registry']],
    ['unlinkArtifact', () => ({ artifactID: ids['model'], artifactPortfolioID: ids['portfolio'] }), () => ids['model']],
    [
      'linkArtifact',
      () => ({
        ...{ artifactID: ids['spare'], artifactPortfolioName: 'spare' },
        ...{ entityName: 'weavers', projectName: 'wandb-registry-releases' },
      }),
      () => 'weavers/loom/spare:v0',
    ],
    [
      'deleteArtifactPortfolio',
      () => ({ artifactPortfolioID: ids['portfolio'] }),
      () => 'weavers/wandb-registry-releases/chat-model',
    ],
    ['deleteModel', () => ({ id: ids['registry'] }), () => ids['registry']],
    ['deleteArtifact', () => ({ artifactID: ids['model'], deleteAliases: true }), () => 'weavers/loom/chat-model:v0'],
    ['deleteArtifactSequence', () => ({ artifactSequenceID: ids['spareSequence'] }), () => 'weavers/loom/spare'],
    ['deleteRun', () => ({ id: ids['run'] }), () => 'weavers/loom/nightly'],
  ];

  const chatModel = { entityName: 'weavers', projectName: 'loom', artifactCollectionName: 'chat-model' };
  const aliases = (alias: string): Json => ({ artifactID: ids['model'], aliases: [{ ...chatModel, alias }] });
  const tags = (tagName: string): Json => ({ ...chatModel, tags: [{ tagName }] });

  it('is each mutation of the schema, but those of which it is said why not', () => {
    const changes = CHANGES.map(([name]) => name);
    expect([...changes, ...Object.keys(UNAUDITED)].sort()).toEqual(Object.keys(mutations.getFields()).sort());
  });

  it('stands in the audit log: who did what, to what, in which team, and no values', async () => {
    await prepare();
    for (const [name, input, subject] of CHANGES) {
      const before = await entries();
      const expected = subject();
      await change(name, input());
      const made = (await entries()).slice(before.length);
      const path = { method: 'POST', path: '/graphql', fields: Object.keys(input()).sort() };
      expect(made).toEqual([
        expect.objectContaining({
          ...{ actor: 'ada', team: 'weavers', action: `Graphql_${name}`, subject: expected, outcome: 'DONE', ...path },
        }),
      ]);
    }
    const { rows } = await api.database.pool.query('SELECT * FROM audit_entries');
    expect(JSON.stringify(rows)).not.toMatch(/the good one|answers mail/);
  });

  it('is told of, too, where the role is missing, and is not where it could not be or changed nothing', async () => {
    const eve = new SdkClient(api, { ...(await api.given.user({ username: 'eve' })), entity: 'weavers' });
    await as(api, ada)('PUT', '/v1/projects/weavers/loom/members/eve', { role: 'viewer' });
    const id = (await sdk.upsert({ name: 'another' })).id;
    const before = await entries();
    const refused = await eve.ask('mutation ($id: ID!) { deleteRun(input: { id: $id }) { success } }', { id });
    expect(refused.errors).toHaveLength(1);
    expect((await entries()).slice(before.length)).toMatchObject([
      { actor: 'eve', team: 'weavers', action: 'Graphql_deleteRun', outcome: 'REFUSED' },
    ]);
    await sdk.ask('mutation { deleteModel(input: { id: "nothing" }) { success } }');
    await change('upsertModel', { entityName: 'weavers', name: 'loom' });
    await sdk.upsert({ name: 'another', config: '{}' });
    expect((await entries()).length).toBe(before.length + 1);
  });
});
