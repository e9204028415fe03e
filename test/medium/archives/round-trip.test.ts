import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PruneDeletedProjectsHandler } from '@heddle/tracing';
import { ArchiveSystem, entriesOf, type Row, rowsOf } from './archive-system.js';

/** What is another one in another place, or is made anew. */
const LOCAL = ['project_id', 'published', 'heartbeat_at', 'training_job_id'];

/** All rows of an archive with ids and places told by what they are of, so that archives of different places compare. */
async function contentOf(archive: Buffer, project: string): Promise<Record<string, string[]>> {
  const rows = rowsOf(await entriesOf(archive));
  const names = new Map<string, string>();
  const name = (table: string, of: (row: Row) => string): void =>
    rows.get(table)!.forEach((row) => names.set(String(row['id']), `<${table} ${of(row)}>`));
  name('runs', (row) => String(row['name']));
  name('artifact_collections', (row) => String(row['name']));
  const index = new Map(rows.get('artifact_memberships')!.map((row) => [row['version_id'], row['version_index']]));
  name('artifact_versions', (row) => `${names.get(String(row['collection_id']))}:v${String(index.get(row['id']))}`);
  const known = (table: string) => rows.get(table) ?? [];
  known('models').forEach((row) => names.set(String(row['id']), `<model ${String(row['name'])}>`));
  for (const table of ['checkpoints', 'model_prices'])
    known(table).forEach((row) => names.set(String(row['id']), '<id>'));
  const hex = (id: string) => Buffer.from(id.replaceAll('-', ''), 'base64').toString('hex');
  const told = (row: Row): string => {
    const kept = Object.entries(row).filter(([column]) => !LOCAL.includes(column));
    let text = JSON.stringify(Object.fromEntries(kept)).replaceAll(project, '<project>');
    for (const [id, what] of names) text = text.replaceAll(id, what).replaceAll(hex(id), what);
    return text;
  };
  return Object.fromEntries([...rows].map(([table, list]) => [table, list.map(told).sort()]));
}

describe('an archive of a project', () => {
  let here: ArchiveSystem;
  let there: ArchiveSystem;
  let project: string;
  let archive: Buffer;
  let content: Record<string, string[]>;

  beforeAll(async () => {
    here = await ArchiveSystem.start('weavers');
    there = await ArchiveSystem.start('spinners');
    project = await here.weave();
    archive = await here.archive(project);
    content = await contentOf(archive, project);
  }, 120_000);
  afterAll(async () => {
    await here.close();
    await there.close();
  });

  it('holds something of everything that moves, and each content once', async () => {
    const empty = Object.keys(content).filter((table) => content[table]!.length === 0);
    expect(empty).toEqual(['artifact_collection_tags', 'trace_object_tags', 'trace_object_aliases']);
    const files = (await entriesOf(archive)).filter(({ name }) => name.startsWith('files/'));
    expect(files.map((each) => each.content.toString()).sort()).toEqual(
      ['a', 'a file of a run', 'b', 'c', 'state', 'weights', '{}'].sort(),
    );
  });

  it('holds metrics that are not finite', async () => {
    const metrics = rowsOf(await entriesOf(archive)).get('run_metrics')!;
    const values = Object.fromEntries(
      metrics.map(({ name, step, value }) => [`${String(name)} ${String(step)}`, value]),
    );
    expect(values).toMatchObject({ 'gone 3': 'NaN', 'norm 3': 'Infinity', 'odds 3': '-Infinity', 'loss 0': 'NaN' });
  });

  it('is the same in another project of the same server, references too', async () => {
    const copy = await here.project('copy');
    const { status, body } = await here.import(copy, archive);
    expect({ status, body }).toMatchObject({ status: 200, body: { project: copy, already_there: {} } });
    expect(await contentOf(await here.archive(copy), copy)).toEqual(content);
  });

  it('is the same on another server', async () => {
    const copy = await there.project('elsewhere');
    expect((await there.import(copy, archive)).status).toBe(200);
    expect(await contentOf(await there.archive(copy), copy)).toEqual(content);
  });

  it('is read there as it is here, by REST', async () => {
    const copy = 'spinners/elsewhere';
    const both = async (path: string): Promise<[unknown, unknown]> => [
      shown(await here.send('GET', `/v1/projects/${project}/${path}`), project),
      shown(await there.send('GET', `/v1/projects/${copy}/${path}`), copy),
    ];
    for (const path of [
      'runs/by-rest',
      'runs/by-sdk',
      'runs/by-rest/history',
      'artifacts/data/versions',
      'artifacts/agent/versions/latest/files',
    ]) {
      const [one, other] = await both(path);
      expect(other).toEqual(one);
    }
    const calls = (system: ArchiveSystem, id: string): Promise<Row> =>
      system.send('POST', '/call/read', { project_id: id, id: 'parent', include_costs: true });
    expect(shown(await calls(there, copy), copy)).toEqual(shown(await calls(here, project), project));
    const bytes = await fetch(`${there.api.url}/v1/projects/${copy}/artifacts/data/versions/best/files/dir/b.txt`, {
      headers: there.ada.bearer,
    });
    expect(await bytes.text()).toBe('b');
  });

  it('does nothing twice: what is there already stays', async () => {
    const copy = 'spinners/elsewhere';
    await there.send('PATCH', `/v1/projects/${copy}/runs/by-rest`, { display_name: 'mine now' });
    const before = await there.archive(copy);
    const { status, body } = await there.import(copy, archive);
    expect({ status, body }).toMatchObject({ status: 200, body: { imported: {} } });
    expect(await contentOf(await there.archive(copy), copy)).toEqual(await contentOf(before, copy));
  });

  it('does nothing in the project that it comes from', async () => {
    expect((await here.import(project, archive)).body).toMatchObject({ imported: {} });
    expect(await contentOf(await here.archive(project), project)).toEqual(content);
  });

  it('of chosen runs has what they made and used, and nothing else', async () => {
    const chosen = await here.archive(project, '?run=by-sdk');
    const rows = rowsOf(await entriesOf(chosen));
    expect(rows.get('runs')!.map(({ name }) => name)).toEqual(['by-sdk']);
    expect(rows.get('artifact_memberships')!.map((row) => row['version_index'])).toEqual([1]);
    expect([...rows.keys()].filter((table) => /^(calls|models|trace_|feedback)/.test(table))).toEqual([]);
    const copy = await there.project('chosen');
    expect((await there.import(copy, chosen)).status).toBe(200);
    // The rest comes into the same collection.
    expect((await there.import(copy, archive)).body['already_there']).toMatchObject({ runs: 1, artifact_versions: 1 });
    // But for the reference to a version that didn't come with it.
    const { sdk_artifacts: _, ...rest } = await contentOf(await there.archive(copy), copy);
    expect(content).toMatchObject(rest);
    expect((await here.export(project, '?run=by-sdk&run=nobody')).status).toBe(404);
  });

  it('adds what is new to what came before', async () => {
    await here.send('POST', `/v1/projects/${project}/runs`, { name: 'later' });
    await here.send('POST', `/v1/projects/${project}/artifacts/data/versions`, { aliases: ['best'] });
    const { body } = await there.import('spinners/elsewhere', await here.archive(project));
    expect(body['imported']).toEqual({ runs: 1, artifact_versions: 1, artifact_memberships: 1, artifact_aliases: 2 });
    const { data } = await there.send<{ data: Row[] }>(
      'GET',
      '/v1/projects/spinners/elsewhere/artifacts/data/versions',
    );
    expect(data.map(({ aliases }) => aliases)).toEqual([[], [], ['best', 'latest']]);
  });

  it('fires no automation, and leaves nothing behind', async () => {
    expect(await there.count('automation_events')).toBe(0);
    const left = async (folder: string) => readdir(join(there.api.env.DATA_DIR, folder)).catch(() => []);
    expect([await left('archives'), await left('artifacts/held'), await left('artifacts/incoming')]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('takes no room once it is deleted', async () => {
    for (const copy of ['elsewhere', 'chosen']) {
      await there.send('DELETE', `/v1/projects/spinners/${copy}?confirm=spinners/${copy}`);
    }
    await new PruneDeletedProjectsHandler(there.api.database.pool).handle();
    expect([await there.count('artifact_blobs'), await there.count('runs'), await there.count('calls')]).toEqual([
      0, 0, 0,
    ]);
  });
});

/** Without ids and places. */
function shown(answer: unknown, project: string): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(project, '<project>')
    .replaceAll(project.split('/')[1]!, '<name>')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>');
  const [entity] = project.split('/') as [string];
  return JSON.parse(text.replaceAll(`"${entity}"`, '"<entity>"'));
}
