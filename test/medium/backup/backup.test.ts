import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backUp, ProgressTeller, restore } from '@heddle/backup';
import { SecretVaultService } from '@heddle/secrets';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';

const KEY = randomBytes(32).toString('base64');
const CONTENT = randomBytes(3 * 1024 * 1024);
const START = { op_name: 'op', trace_id: 't', started_at: '2026-01-01T00:00:00Z', attributes: {} };

describe('a backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-backup-'));
  const file = join(folder, 'heddle.backup');
  const dataDirs = ['before', 'after'].map((name) => join(folder, name)) as [string, string];
  const told: string[] = [];
  const tell = (): ProgressTeller => new ProgressTeller((line) => told.push(line));
  let before: TestApi;
  let after: TestApi;
  let ada: GivenUser;

  beforeAll(async () => {
    before = await startApi({ DATA_DIR: dataDirs[0], SECRETS_KEY: KEY });
    after = await startApi({ DATA_DIR: dataDirs[1], SECRETS_KEY: KEY });
    const team = await before.given.team('weavers');
    ada = await before.given.user({ username: 'ada', teams: [{ id: team.id, role: 'admin' }] });
    await send(before, 'POST', '/v1/projects', { name: 'loom', entity: 'weavers' });
    await send(before, 'POST', '/v1/teams/weavers/secrets', { name: 'DEPLOY', value: 'sesame' });
    const artifacts = '/v1/projects/weavers/loom/artifacts';
    await send(before, 'POST', artifacts, { name: 'model', type: 'model' });
    const draft = (await send(before, 'POST', `${artifacts}/model/drafts`, {})) as { id: string };
    await put(`${artifacts}/model/drafts/${draft.id}/files/weights.bin`);
    await send(before, 'POST', `${artifacts}/model/drafts/${draft.id}/commit`, { aliases: ['production'] });
    await send(before, 'POST', '/call/start', {
      start: { ...START, project_id: 'weavers/loom', id: 'c', inputs: { n: 1 } },
    });
  }, 120_000);
  afterAll(async () => {
    await before.close();
    await after.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function send(api: TestApi, method: string, path: string, body?: object): Promise<unknown> {
    const init = { method, headers: ada.bearer, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(api.url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async function put(path: string): Promise<void> {
    const response = await fetch(before.url + path, { method: 'PUT', headers: ada.bearer, body: CONTENT });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }

  it('is made of a running server, tells how far it is, and is never half there', async () => {
    const writing = backUp({ url: before.database.url, dataDir: dataDirs[0], file }, tell());
    // Meanwhile the server goes on.
    await send(before, 'POST', '/v1/projects', { name: 'later', entity: 'weavers' });
    await writing;
    expect(told).toEqual(
      expect.arrayContaining(['secrets: 1 rows', expect.stringMatching(/^files: 100 % of 3\.\d MB$/)]),
    );
    expect(statSync(file).mode & 0o077).toBe(0);
    const again = backUp({ url: before.database.url, dataDir: dataDirs[0], file }, tell());
    await expect(again).rejects.toThrow(/is there already/);
  });

  it('is not taken back over something by mistake', async () => {
    await after.given.user({ username: 'eve' });
    const place = { url: after.database.url, dataDir: dataDirs[1], file, replaces: false };
    await expect(restore(place, tell())).rejects.toThrow(/--replace/);
  });

  it('that was cut off changes nothing', async () => {
    const cut = join(folder, `cut-${randomBytes(4).toString('hex')}.backup`);
    await backUp({ url: before.database.url, dataDir: dataDirs[0], file: cut }, tell());
    truncateSync(cut, Math.floor(statSync(cut).size / 2));
    const place = { url: after.database.url, dataDir: dataDirs[1], file: cut, replaces: true };
    await expect(restore(place, tell())).rejects.toThrow(/cut off/);
    const { rows } = await after.database.pool.query('SELECT username FROM users');
    expect(rows).toEqual([{ username: 'eve' }]);
  });

  it('brings everything back on another server, with its files, under a server that runs', async () => {
    await restore({ url: after.database.url, dataDir: dataDirs[1], file, replaces: true }, tell());
    expect(await send(after, 'GET', '/v1/me')).toMatchObject({ username: 'ada' });
    const files = '/v1/projects/weavers/loom/artifacts/model/versions/production/files/weights.bin';
    const response = await fetch(after.url + files, { headers: ada.bearer });
    expect(Buffer.from(await response.arrayBuffer()).equals(CONTENT)).toBe(true);
    const asked = { project_id: 'weavers/loom', id: 'c' };
    expect(await send(after, 'POST', '/call/read', asked)).toMatchObject({ call: { inputs: { n: 1 } } });
  });

  it('holds secrets that only their key opens, and not the key', async () => {
    const { rows } = await after.database.pool.query<{ id: string }>("SELECT id FROM teams WHERE name = 'weavers'");
    expect(await after.provider(SecretVaultService).reveal(rows[0]!.id, 'DEPLOY')).toBe('sesame');
    const other = await startApi({ DATABASE_URL: after.database.url, SECRETS_KEY: randomBytes(32).toString('base64') });
    await expect(other.provider(SecretVaultService).reveal(rows[0]!.id, 'DEPLOY')).rejects.toThrow();
    await other.close();
  });

  it('leaves a database that works: rows get new numbers, references hold, rules of triggers hold', async () => {
    await send(after, 'POST', '/v1/projects', { name: 'new', entity: 'weavers' });
    const taken = { name: 'loom', team: 'weavers' };
    await expect(send(after, 'POST', '/v1/registries', taken)).rejects.toThrow(/409|422/);
    const { rows: left } = await after.database.pool.query(
      "SELECT FROM pg_namespace WHERE nspname = 'heddle_restoring'",
    );
    expect(left).toEqual([]);
    const keys =
      "SELECT count(*)::int AS n FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace";
    const count = async (api: TestApi): Promise<unknown> => (await api.database.pool.query<{ n: number }>(keys)).rows;
    expect(await count(after)).toEqual(await count(before));
  });

  it('of a newer schema is refused, and so is the database itself by an older program', async () => {
    const { pool, url } = before.database;
    await pool.query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Future9999999999999')");
    const newer = join(folder, 'newer.backup');
    await backUp({ url, dataDir: dataDirs[0], file: newer }, tell());
    const place = { url: after.database.url, dataDir: dataDirs[1], file: newer, replaces: true };
    await expect(restore(place, tell())).rejects.toThrow(/newer Heddle.*Future9999999999999/);
    const { migrate } = await import('@heddle/database');
    await expect(migrate(url)).rejects.toThrow(/newer Heddle/);
  });

  it('that is something else is refused', async () => {
    const place = { url: after.database.url, dataDir: dataDirs[1], file: 'package.json', replaces: true };
    await expect(restore(place, tell())).rejects.toThrow(/no backup/);
  });
});
