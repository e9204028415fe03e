import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { ArchiveSystem, entriesOf, type Entry, type Row, tarOf } from './archive-system.js';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe('an archive is refused', () => {
  let system: ArchiveSystem;
  let project: string;
  let entries: Entry[];
  let copy: string;

  beforeAll(async () => {
    system = await ArchiveSystem.start('weavers');
    project = await system.weave();
    entries = await entriesOf(await system.archive(project));
    copy = await system.project('copy');
  }, 120_000);
  afterAll(() => system.close());

  /** Whatever came is gone again: rows, contents, and what lay in between. */
  async function everything(): Promise<unknown> {
    const tables = ['runs', 'artifact_versions', 'calls', 'models', 'trace_objects', 'artifact_blobs'];
    const counts = await Promise.all(tables.map((table) => system.count(table)));
    return [counts, await spooled(), await namesIn('artifacts/incoming')];
  }

  const namesIn = (path: string) => readdir(join(system.api.env.DATA_DIR, path)).catch(() => []);
  const spooled = () => namesIn('archives');

  async function refused(archive: Buffer): Promise<unknown> {
    const before = await everything();
    const { status, body } = await system.import(copy, archive);
    expect(await everything()).toEqual(before);
    return { status, code: body['code'], detail: body['detail'] };
  }

  const change = (name: string, by: (text: string) => string): Entry[] =>
    entries.map((entry) =>
      entry.name === name ? { ...entry, content: Buffer.from(by(entry.content.toString())) } : entry,
    );

  /** Rows that are forged by somebody who makes the digests fit. */
  function forged(table: string, by: (row: Row) => Row): Promise<Buffer> {
    const lines = (text: string) => text.split('\n').filter((line) => line !== '');
    const changed = change(`rows/${table}/0`, (text) =>
      lines(text)
        .map((line) => `${JSON.stringify(by(JSON.parse(line) as Row))}\n`)
        .join(''),
    );
    const rows = changed.find(({ name }) => name === `rows/${table}/0`)!.content;
    const end = JSON.parse(entries.at(-1)!.content.toString()) as { tables: Row };
    end.tables[table] = { rows: lines(rows.toString()).length, sha256: sha256(rows) };
    return tarOf([...changed.slice(0, -1), { name: 'end.json', content: Buffer.from(JSON.stringify(end)) }]);
  }

  const invalid = (detail: RegExp) => ({
    status: 400,
    code: 'archive_invalid',
    detail: expect.stringMatching(detail) as unknown,
  });

  it('that is none, or is empty', async () => {
    expect(await refused(Buffer.from('no tar at all'.repeat(100)))).toEqual(invalid(/no archive/));
    expect(await refused(await tarOf([]))).toEqual(invalid(/no archive/));
    expect(await refused(await tarOf(change('manifest.json', () => '{"format": "other"}')))).toEqual(
      invalid(/no archive/),
    );
  });

  it('that was cut off, anywhere', async () => {
    const whole = await tarOf(entries);
    for (const share of [0.1, 0.5, 0.9]) {
      expect(await refused(whole.subarray(0, Math.floor(whole.length * share)))).toEqual(invalid(/cut off/));
    }
    expect(await refused(await tarOf(entries.slice(0, -1)))).toEqual(invalid(/cut off/));
    const without = entries.filter(({ name }) => !name.startsWith('files/'));
    expect(await refused(await tarOf(without))).toEqual(invalid(/lacks a file/));
  });

  it('that a newer Heddle made', async () => {
    const manifest = (fields: object) =>
      tarOf(change('manifest.json', (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...fields })));
    const tooNew = (detail: RegExp) => ({ ...invalid(detail), code: 'archive_too_new' });
    expect(await refused(await manifest({ version: 2 }))).toEqual(tooNew(/format version 2/));
    const tables = [{ name: 'runs', columns: ['id', 'mood'] }];
    expect(await refused(await manifest({ tables }))).toEqual(tooNew(/lacks mood of runs/));
    expect(await refused(await manifest({ tables: [{ name: 'secrets', columns: [] }] }))).toEqual(
      tooNew(/lacks secrets/),
    );
  });

  it.each([['../../outside'], ['/etc/passwd'], ['files/../x'], ['rows/runs/../0'], ['secrets.key']])(
    'that holds an entry called %s',
    async (name) => {
      const archive = await tarOf([...entries.slice(0, -1), { name, content: Buffer.from('x') }, entries.at(-1)!]);
      expect(await refused(archive)).toEqual(invalid(/none of Heddle's has/));
    },
  );

  it('that holds a link, or something behind its end', async () => {
    const link: Entry = { name: `files/${'0'.repeat(64)}`, content: Buffer.alloc(0), type: 'symlink' };
    expect(await refused(await tarOf([...entries.slice(0, -1), link, entries.at(-1)!]))).toEqual(invalid(/none of/));
    expect(await refused(await tarOf([...entries, entries.at(-1)!]))).toEqual(invalid(/none of/));
  });

  it('that says of rows or files what they are not', async () => {
    const rows = await tarOf(change('rows/runs/0', (text) => text.replace('by-rest', 'by-eve!')));
    expect(await refused(rows)).toEqual(invalid(/rows of runs are not those/));
    const file = entries.find(({ name }) => name.startsWith('files/'))!;
    expect(await refused(await tarOf(change(file.name, () => 'something else')))).toEqual(invalid(/another SHA-256/));
  });

  it('whose parts are too large', async () => {
    const large = { name: 'manifest.json', content: Buffer.alloc(2 ** 20 + 1, ' ') };
    expect(await refused(await tarOf([large, ...entries.slice(1)]))).toMatchObject({ status: 413 });
  });

  const otherwise = (fields: Row) => (row: Row) => ({ ...row, ...fields });
  it.each<[string, Row, RegExp]>([
    ['runs', { state: 'DREAMING' }, /its state/],
    ['runs', { config: '[]' }, /its configuration/],
    ['runs', { id: 'no uuid' }, /uuid/],
    ['runs', { display_name: null }, /display_name/],
    ['calls', { inputs: '{' }, /json/],
    ['artifact_aliases', { alias: 'v7' }, /its alias/],
    ['artifact_files', { path: '../../outside' }, /its files/],
    ['run_files', { path: 'a/../b' }, /its path/],
    ['trace_file_chunks', { bytes: '\\x00' }, /its content/],
  ])('whose rows of %s have %j', async (table, fields, detail) => {
    expect(await refused(await forged(table, otherwise(fields)))).toEqual(invalid(detail));
  });

  it('that names a content which it does not bring, whoever has it', async () => {
    const run = await forged('run_files', (row) => ({ ...row, sha256: sha256(Buffer.from('of somebody else')) }));
    expect(await refused(run)).toEqual(invalid(/lacks the content/));
  });

  it('that says whose a row is: its rows come into the project that was named, and nowhere else', async () => {
    const { rows } = await system.api.database.pool.query<{ id: number }>(
      "SELECT id FROM projects WHERE name = 'loom'",
    );
    const before = await system.count('runs');
    const target = await system.project('target');
    const archive = await forged('runs', (row) => ({
      ...row,
      project_id: rows[0]!.id,
      name: `of-${String(row['name'])}`,
    }));
    expect((await system.import(target, archive)).status).toBe(200);
    const { data } = await system.send<{ data: Row[] }>('GET', `/v1/projects/${target}/runs`);
    expect(data.length).toBe((await system.count('runs')) - before);
    await system.send('DELETE', `/v1/projects/${target}?confirm=${target}`);
  });

  it('where names are taken by something else, and says which', async () => {
    await system.send('POST', `/v1/projects/${copy}/runs`, { name: 'by-sdk' });
    await system.send('POST', `/v1/projects/${copy}/artifacts`, { name: 'data', type: 'dataset' });
    const call = { project_id: copy, op_name: 'f', started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: {} };
    await system.send('POST', '/call/start', { start: { ...call, id: 'child', trace_id: 't' } });
    expect(await refused(await tarOf(entries))).toEqual({
      status: 409,
      code: 'archive_conflict',
      detail:
        "The project has run 'by-sdk', artifact 'data', call 'child' already, which are others: nothing was imported",
    });
  });

  it('of a client that leaves in the middle, without a trace', async () => {
    const before = await everything();
    const whole = await tarOf(entries);
    const upload = request(`${system.api.url}/v1/projects/${copy}/archive`, {
      method: 'POST',
      headers: { ...system.ada.bearer, 'content-length': whole.length },
    });
    upload.on('error', () => undefined);
    upload.write(whole.subarray(0, whole.length - 2000));
    // Before the server has begun, nothing is there that could be left.
    await eventually(spooled, (folders) => folders.length > 0);
    upload.destroy();
    await eventually(spooled, (folders) => folders.length === 0);
    expect(await everything()).toEqual(before);
  });
});

describe('who may', () => {
  let system: ArchiveSystem;
  let project: string;
  beforeAll(async () => {
    system = await ArchiveSystem.start('weavers');
    project = await system.project('loom');
  });
  afterAll(() => system.close());

  it('export is who may read, and import who may write', async () => {
    const archive = await system.archive(project);
    const viewer = await system.api.given.user();
    await system.send('PUT', `/v1/projects/${project}/members/${viewer.username}`, { role: 'viewer' });
    const stranger = await system.api.given.user();
    const nobody = { bearer: {} };
    const exported = [];
    const imported = [];
    for (const who of [system.ada, viewer, stranger, nobody]) {
      exported.push((await system.export(project, '', who)).status);
      imported.push((await system.import(project, archive, who)).status);
    }
    expect({ exported, imported }).toEqual({ exported: [200, 200, 404, 401], imported: [200, 403, 404, 401] });
    expect((await system.export('weavers/nowhere')).status).toBe(404);
  });

  it('read an archive gets no secret with it', async () => {
    const names = (await entriesOf(await system.archive(project))).map(({ name }) => name.split('/')[1] ?? name);
    expect(names.filter((name) => /secret|webhook|automation|key|user|member|audit/.test(name)).sort()).toEqual([
      'artifact_memberships',
    ]);
  });
});
