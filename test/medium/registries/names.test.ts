import { RegistryApi } from './registry-api.js';

describe('names of registries and projects', () => {
  let t: RegistryApi;
  beforeAll(async () => {
    t = await RegistryApi.start();
  });
  afterAll(() => t.close());

  const make = (kind: 'registries' | 'projects', name: string, ask = t.ask) =>
    ask('POST', `/v1/${kind}`, { entity: t.team.name, name });

  it('are taken once in a team', async () => {
    await make('registries', 'releases');
    expect((await make('projects', 'releases', t.as(t.member))).body).toMatchObject({
      code: 'registry_name',
      detail: "The team has a registry 'releases': a project needs another name",
    });
    expect(await make('registries', 'loom')).toMatchObject({ status: 409, body: { code: 'project_name' } });
    expect((await make('projects', 'Releases')).status).toBe(201);
    await t.ask('DELETE', `/v1/registries/${t.team.name}/releases`);
    expect((await make('projects', 'releases')).status).toBe(201);
  });

  it('are free in another team', async () => {
    await make('registries', 'shelf');
    const other = await t.api.given.team();
    const ask = t.as(await t.api.given.user({ teams: [other] }));
    expect((await ask('POST', '/v1/projects', { entity: other.name, name: 'shelf' })).status).toBe(201);
  });

  it('are not taken by the first write of a trace either', async () => {
    await make('registries', 'traced');
    const response = await fetch(`${t.api.url}/obj/create`, {
      method: 'POST',
      headers: { ...t.member.basic, 'content-type': 'application/json' },
      body: JSON.stringify({ obj: { project_id: `${t.team.name}/traced`, object_id: 'a', val: 1 } }),
    });
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'registry_name' }]);
  });

  it('go to one of two that come at once', async () => {
    for (let round = 0; round < 8; round++) {
      const name = `both-${round}`;
      const answers = await Promise.all([make('registries', name), make('projects', name), make('projects', name)]);
      const made = answers.slice(0, 2).filter(({ status }) => status === 201);
      const { rows } = await t.api.database.pool.query(
        'SELECT name FROM projects WHERE name = $1 UNION ALL SELECT name FROM registries WHERE name = $1',
        [name],
      );
      expect([rows.length, made.length <= 1]).toEqual([1, true]);
    }
  });

  it('that an older database has twice stay usable, and a ref means the registry', async () => {
    const { pool } = t.api.database;
    await make('projects', 'twice');
    await pool.query('ALTER TABLE registries DISABLE TRIGGER registries_place_name');
    await make('registries', 'twice');
    await pool.query('ALTER TABLE registries ENABLE TRIGGER registries_place_name');
    const [project, registry] = [`/v1/projects/${t.team.name}/twice`, `/v1/registries/${t.team.name}/twice`];
    await t.ask('POST', `${project}/artifacts`, { name: 'agents', type: 'model' });
    await t.ask('POST', `${project}/artifacts/agents/versions`, { metadata: { forged: true } });
    await t.ask('POST', `${registry}/collections`, { name: 'agents', type: 'model' });
    const { ref, id } = await t.artifact();
    await t.link(`${registry}/collections/agents`, ref);
    const resolved = await t.ask('GET', `/v1/artifact-refs?ref=${t.team.name}/twice/agents:v0`);
    expect(resolved.body).toMatchObject({ id, source: ref });
    expect((await t.ask('GET', `${project}/artifacts/agents/versions/v0`)).status).toBe(200);
  });
});
