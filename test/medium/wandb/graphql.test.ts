import { getIntrospectionQuery } from 'graphql';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';

const DEFAULT_ENTITY = 'query DefaultEntity { viewer { username defaultEntity { name } } }';
const PROJECT =
  'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }';
const UPSERT_MODEL = `mutation UpsertModel($name: String!, $id: String, $entity: String!, $description: String, $repo: String) {
  upsertModel(input: { id: $id, name: $name, entityName: $entity, description: $description, repo: $repo }) {
    model { name description }
  }
}`;

describe('POST /graphql', () => {
  let api: TestApi;
  let ada: GivenUser & { entity: string };
  let eve: GivenUser & { entity: string };

  beforeAll(async () => {
    api = await startApi();
    ada = await api.given.member();
    eve = await api.given.member();
  });
  afterAll(() => api.close());

  const post = (body: string, headers: Record<string, string> = ada.basic): Promise<Response> =>
    fetch(`${api.url}/graphql`, { method: 'POST', headers, body });

  const ask = async (query: string, variables: Record<string, unknown> = {}, user: GivenUser = ada) => {
    const response = await post(JSON.stringify({ query, variables }), user.basic);
    const answer = (await response.json()) as { data?: unknown; errors?: { message: string; extensions: object }[] };
    return { status: response.status, ...answer };
  };

  it('tells who the caller is', async () => {
    const answer = await ask(DEFAULT_ENTITY);
    expect(answer).toEqual({
      status: 200,
      data: { viewer: { username: ada.username, defaultEntity: { name: ada.entity } } },
    });
  });

  it("lists the caller's teams, and no other", async () => {
    const answer = await ask(
      '{ viewer { teams { edges { node { name readOnly } } } } other: entity(name: "admin") { id } }',
    );
    expect(answer.data).toEqual({
      viewer: { teams: { edges: [{ node: { name: ada.entity, readOnly: false } }] } },
      other: null,
    });
  });

  it('has no default entity for a user without a team', async () => {
    const loner = await api.given.user();
    expect((await ask(DEFAULT_ENTITY, {}, loner)).data).toEqual({
      viewer: { username: loner.username, defaultEntity: null },
    });
  });

  it('makes a project once, and finds it under both of its names', async () => {
    const variables = { name: 'my project', entity: ada.entity, entityName: ada.entity };
    expect((await ask(PROJECT, variables)).data).toEqual({ project: null });
    const made = { upsertModel: { model: { name: 'my project', description: null } } };
    expect((await ask(UPSERT_MODEL, variables)).data).toEqual(made);
    expect((await ask(UPSERT_MODEL, variables)).data).toEqual(made);
    const byModel = `query ProjectDetails($name: String!) { model(name: $name) { name entityName entity { name } } }`;
    expect((await ask(byModel, variables)).data).toEqual({
      model: { name: 'my project', entityName: ada.entity, entity: { name: ada.entity } },
    });
    expect((await ask(PROJECT, variables)).data).toEqual({ project: { name: 'my project' } });
  });

  it("shows nobody another team's project, and lets nobody make one there", async () => {
    await ask(UPSERT_MODEL, { name: 'secret', entity: ada.entity });
    const read = await ask(PROJECT, { name: 'secret', entityName: ada.entity }, eve);
    const missing = await ask(PROJECT, { name: 'secret', entityName: 'no-such-team' }, eve);
    expect([read.data, read.errors, missing.data]).toEqual([{ project: null }, undefined, { project: null }]);
    const written = await ask(UPSERT_MODEL, { name: 'intruder', entity: ada.entity }, eve);
    expect(written).toMatchObject({
      data: { upsertModel: null },
      errors: [{ extensions: { code: 'PERMISSION_ERROR' } }],
    });
    expect((await ask(PROJECT, { name: 'intruder', entityName: ada.entity })).data).toEqual({ project: null });
  });

  it('wants an API key', async () => {
    const body = JSON.stringify({ query: getIntrospectionQuery() });
    const refused = await post(body, {});
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(await refused.json()).toMatchObject({ errors: [{ message: expect.stringMatching(/key/i) as string }] });
    expect((await post(body, { authorization: `Basic ${btoa('api:wrong')}` })).status).toBe(401);
    expect((await ask(getIntrospectionQuery())).data).toHaveProperty('__schema.types');
  });

  it('refuses what is too deep, too wide or too large', async () => {
    const loop =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }';
    expect((await ask(loop)).errors?.[0]?.message).toMatch(/introspection depth/i);
    const wide = `{ ${Array.from({ length: 1000 }, (_, i) => `a${i}: viewer { id }`).join(' ')} }`;
    expect((await ask(wide)).errors?.[0]?.message).toMatch(/token/i);
    expect((await post(JSON.stringify({ query: '#'.repeat(16 * 1024 * 1024) }))).status).toBe(413);
  });

  it.each([
    ['not JSON', '{', 422],
    ['an array', '[]', 422],
    ['no query', '{}', 400],
    ['variables of another type', '{"query": "{ viewer { id } }", "variables": 1}', 400],
    ['a syntax error', '{"query": "{"}', 200],
    ['an unknown field', '{"query": "{ nothing }"}', 200],
  ])('answers %s with an error', async (_what, body, status) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(/"(errors|detail)":\[/);
  });
});
