import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PruneDeletedProjectsHandler } from '@heddle/tracing';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Ask, as, pluck } from '../accounts/requests.js';
import { group } from '../training/training-system.js';

const BASE = 'heddle/shuttle-1m';

describe('deletion', () => {
  let api: TestApi;
  let ada: GivenUser;
  let ask: Ask;
  let instance: Ask;
  beforeAll(async () => {
    api = await startApi({
      AUTH_CACHE_SECONDS: '0',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
    });
    ada = await api.given.user({ username: 'ada' });
    ask = as(api, ada);
    instance = as(api, await api.given.user({ isAdmin: true }));
  });
  afterAll(() => api.close());

  /** A team of ada's with everything that a team can have. */
  async function weave(name: string): Promise<{ id: string; projectId: number }> {
    const { id } = await api.given.team(name);
    await api.database.pool.query("INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, 'admin')", [
      id,
      ada.id,
    ]);
    const send = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const answer = await ask(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await send('POST', '/v1/projects', { entity: name, name: 'loom' });
    const project = `/v1/projects/${name}/loom`;
    await send('POST', `${project}/runs`, { name: 'run' });
    await send('POST', `${project}/runs/run/history`, { points: [{ metrics: { loss: 1 } }] });
    await send('POST', `${project}/artifacts`, { name: 'data', type: 'dataset' });
    const content = Buffer.from(`of ${name}`).toString('base64');
    await send('POST', `${project}/artifacts/data/versions`, { files: [{ path: 'a.txt', content }] });
    const model = { entity: name, project: 'loom', name: 'agent', base_model: BASE };
    const { id: modelId } = await send('POST', '/v1/preview/models', model);
    await send('POST', '/v1/preview/training-jobs', { model_id: modelId, trajectory_groups: [group('hi', [0, 1])] });
    const start = {
      project_id: `${name}/loom`,
      op_name: 'f',
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: {},
    };
    await send('POST', '/call/start', { start });
    await send('POST', '/obj/create', { obj: { project_id: `${name}/loom`, object_id: 'prompt', val: { a: 1 } } });
    await send('POST', '/table/create', { table: { project_id: `${name}/loom`, rows: [{ a: 1 }] } });
    await send('POST', `/v1/teams/${name}/secrets`, { name: 'KEY', value: 'a signing secret' });
    const hook = { name: 'deploy', url_endpoint: 'http://127.0.0.1:1/', secret_ref: 'KEY' };
    const { id: webhook_id } = await send('POST', `/v1/teams/${name}/webhooks`, hook);
    await send('POST', '/v1/automations', {
      name: 'promoted',
      scope: { scope_type: 'PROJECT', scope_id: `${name}/loom` },
      event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { alias_regex: 'prod' } },
      action: { team: name, webhook_id },
    });
    await send('PUT', `${project}/artifacts/data/versions/v0/aliases/production`);
    const { rows } = await api.database.pool.query<{ id: number }>('SELECT id FROM projects WHERE team_id = $1', [id]);
    return { id, projectId: rows[0]!.id };
  }

  /** Tables that still have rows with this value in this column. */
  async function remains(column: 'project_id' | 'team_id', value: unknown): Promise<string[]> {
    const sql = `SELECT table_name FROM information_schema.columns
                  WHERE table_schema = 'public' AND column_name = $1 AND table_name NOT IN ('audit_entries', 'deleted_trace_projects')`;
    const tables = (await api.database.pool.query<{ table_name: string }>(sql, [column])).rows;
    const found: string[] = [];
    for (const { table_name: table } of tables) {
      const { rowCount } = await api.database.pool.query(`SELECT FROM ${table} WHERE ${column} = $1`, [value]);
      if (rowCount) found.push(table);
    }
    return found;
  }

  const count = async (table: string): Promise<number> =>
    (await api.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;
  const trajectories = async () =>
    (await readdir(join(api.env.DATA_DIR, 'trajectories'), { recursive: true })).filter((name) => name.includes('.'));
  const prune = () => new PruneDeletedProjectsHandler(api.database.pool).handle();

  it('of a project asks for its name, and for an administrator of the team', async () => {
    await weave('asking');
    const answers = [
      await ask('DELETE', '/v1/projects/asking/loom'),
      await ask('DELETE', '/v1/projects/asking/loom?confirm=loom'),
      await instance('DELETE', '/v1/projects/asking/loom?confirm=asking/loom'),
    ];
    const member = await api.given.user();
    await ask('PUT', `/v1/projects/asking/loom/members/${member.username}`, { role: 'admin' });
    answers.push(await as(api, member)('DELETE', '/v1/projects/asking/loom?confirm=asking/loom'));
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 404, 403]);
    await ask('DELETE', '/v1/teams/asking?confirm=asking');
    await prune();
  });

  it('of a project takes everything with it, files too, and nothing of others', async () => {
    const kept = await weave('kept');
    const before = {
      kept: await remains('project_id', kept.projectId),
      blobs: await count('artifact_blobs'),
      files: await trajectories(),
    };
    const { projectId } = await weave('gone');
    expect(await remains('project_id', projectId)).toEqual(before.kept);
    expect((await ask('DELETE', '/v1/projects/gone/loom?confirm=gone/loom')).status).toBe(204);
    expect((await ask('GET', '/v1/projects/gone/loom')).status).toBe(404);
    expect(pluck(await ask('GET', '/v1/automations'), 'scope')).toEqual([
      { scope_type: 'PROJECT', scope_id: 'kept/loom' },
    ]);
    await prune();
    expect(await remains('project_id', projectId)).toEqual([]);
    expect(await remains('project_id', kept.projectId)).toEqual(before.kept);
    expect([await count('artifact_blobs'), await trajectories()]).toEqual([before.blobs, before.files]);
    expect((await ask('POST', '/v1/projects', { entity: 'gone', name: 'loom' })).status).toBe(201);
  });

  it('of a project is refused where a registry links one of its versions, and changes nothing', async () => {
    await ask('POST', '/v1/registries', { entity: 'kept', name: 'releases' });
    await ask('POST', '/v1/registries/kept/releases/collections', { name: 'data', type: 'dataset' });
    await ask('POST', '/v1/registries/kept/releases/collections/data/versions', { artifact: 'kept/loom/data:v0' });
    const refused = await ask('DELETE', '/v1/projects/kept/loom?confirm=kept/loom');
    expect(refused).toMatchObject({ status: 409, body: { code: 'version_linked' } });
    expect(pluck(await ask('GET', '/v1/preview/models?entity=kept'), 'name')).toEqual(['agent']);
  });

  it('of a team takes its registries, projects, secrets and webhooks with it', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>("SELECT id FROM teams WHERE name = 'kept'");
    expect((await ask('DELETE', '/v1/teams/kept')).status).toBe(409);
    expect((await as(api, await api.given.user())('DELETE', '/v1/teams/kept?confirm=kept')).status).toBe(404);
    expect((await instance('DELETE', '/v1/teams/kept?confirm=kept')).status).toBe(204);
    await prune();
    expect(await remains('team_id', rows[0]!.id)).toEqual([]);
    expect([await count('registries'), await count('artifact_blobs'), await trajectories()]).toEqual([0, 0, []]);
    expect((await ask('GET', '/v1/me')).body['teams']).toEqual([{ name: 'gone', role: 'admin' }]);
  });
});
