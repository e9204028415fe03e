import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DISPOSABLE_SETTINGS as settings, startEmbeddedPostgres } from '@heddle/embedded-postgres';
import type { EmbeddedPostgres } from '@heddle/embedded-postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { launch, query, temporaryFolder } from './launcher.js';

describe('processes that come and go', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dataDir: string;
  const others: EmbeddedPostgres[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = folder.dataDir;
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.stop()));
    await folder.remove();
  });

  it('share one server when they start at once on nothing, and one of them owns it', async () => {
    const launchers = [1, 2, 3].map(() => launch({ dataDir, settings }));
    const servers = await Promise.all(launchers.map((launcher) => launcher.server()));

    expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
    expect(servers.filter(({ owner }) => owner)).toHaveLength(1);
    for (const { url } of servers) expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const initialised = launchers.flatMap((launcher) => launcher.progress()).filter((line) => line.includes('initdb'));
    expect(initialised).toHaveLength(1);

    const others = launchers.filter((_, index) => !servers[index]?.owner);
    await Promise.all(others.map((launcher) => launcher.stop()));
    expect(await query(servers[0]?.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await Promise.all(launchers.map((launcher) => launcher.stop()));
    await expect(query(servers[0]?.url ?? '', 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    expect(await readdir(folder.path)).toEqual([basename(dataDir), `${basename(dataDir)}.log`]);
  });

  it('take over the server of an owner that was killed, and then stop it', async () => {
    const first = launch({ dataDir, settings });
    const before = await first.server();
    await first.kill();

    const second = launch({ dataDir, settings });
    expect(await second.server()).toEqual({ ...before, owner: true });
    const third = launch({ dataDir, settings });
    expect(await third.server()).toEqual({ ...before, owner: false });

    await second.stop();
    expect(await third.exit()).toMatchObject({ expected: false });
    await third.stop();
  });

  it('start over after initdb was interrupted', async () => {
    const first = launch({ dataDir, settings });
    await first.hasSaid('initdb');
    await first.kill();
    expect(await readdir(folder.path)).not.toContain(basename(dataDir));

    const second = launch({ dataDir, settings });
    expect(await query((await second.server()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
    expect((await readdir(folder.path)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('finish what a killed process had begun between the start of the server and the making of the database', async () => {
    const first = launch({ dataDir, settings });
    const { adminUrl } = await first.server();
    await first.kill();
    await query(adminUrl, 'DROP DATABASE heddle');
    await query(adminUrl, 'DROP ROLE heddle');

    const second = launch({ dataDir, settings });
    expect(await query((await second.server()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it('start a new server when the old one was killed with its owner, and lose nothing', async () => {
    const first = launch({ dataDir });
    const before = await first.server();
    await query(before.url, 'CREATE TABLE notes AS SELECT generate_series(1, 10000) AS id');
    process.kill(before.pid, 'SIGKILL');
    await first.kill();

    const second = launch({ dataDir });
    const after = await second.server();
    expect(after.pid).not.toBe(before.pid);
    expect(await query(after.url, 'SELECT count(*)::int AS count FROM notes')).toEqual([{ count: 10000 }]);
    await second.stop();
  });

  it('wait for a server that is recovering from the crash of one of its processes', async () => {
    const first = launch({ dataDir, settings });
    const before = await first.server();
    const rows = await query(before.adminUrl, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'");
    process.kill(Number(rows[0]?.pid), 'SIGKILL');

    const second = launch({ dataDir, settings });
    expect(await second.server()).toMatchObject({ pid: before.pid, owner: false });
    await second.stop();
    await first.stop();
  });

  it.each([
    ['names a process that is gone', () => Promise.resolve(4_194_303)],
    ['names another program', () => Promise.resolve(process.pid)],
    ['names the server of another directory', async () => (await startElsewhere()).pid],
    ['is empty', () => Promise.resolve('')],
  ])('do not believe a postmaster.pid that %s', async (_, pid) => {
    const first = await startEmbeddedPostgres({ dataDir, settings });
    const file = await readFile(join(dataDir, 'postmaster.pid'), 'utf8');
    await first.stop();
    await writeFile(join(dataDir, 'postmaster.pid'), file.replace(/^\d+/, String(await pid())));

    const second = await startEmbeddedPostgres({ dataDir, settings });
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it('take the lock of a process that was killed with it', async () => {
    await writeFile(`${dataDir}.lock`, 'left behind');
    const server = await startEmbeddedPostgres({ dataDir, settings });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  async function startElsewhere(): Promise<EmbeddedPostgres> {
    const other = await startEmbeddedPostgres({ dataDir: join(folder.path, 'other'), settings });
    others.push(other);
    return other;
  }
});
