import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DISPOSABLE_SETTINGS, startEmbeddedPostgres } from '@heddle/embedded-postgres';
import type { EmbeddedPostgres } from '@heddle/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { launch, query, temporaryFolder } from './launcher.js';

describe('an embedded database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: EmbeddedPostgres;
  const progress: string[] = [];
  const start = () => startEmbeddedPostgres({ dataDir: folder.dataDir, log: (line) => progress.push(line) });

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await start();
  });
  afterAll(async () => {
    await server.stop();
    await folder.remove();
  });

  it('says what takes a while', () => {
    expect(progress).toEqual(['creating the database (initdb)', 'starting the database']);
  });

  it('speaks UTF-8 with an order that no operating system changes', async () => {
    const [row] = await query(
      server.url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datlocale AS locale, current_user AS role
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ encoding: 'UTF8', locale: 'C.UTF-8', role: 'heddle' });
  });

  it('gives the application a role that owns its database and is no superuser', async () => {
    await query(server.url, 'CREATE TABLE notes (text text)');
    await query(server.url, 'INSERT INTO notes VALUES ($1)', ['kept']);
    await expect(query(server.url, "COPY notes TO PROGRAM 'cat'")).rejects.toThrow('permission denied');
    expect(await query(server.adminUrl, "SELECT current_setting('is_superuser') AS superuser")).toEqual([
      { superuser: 'on' },
    ]);
  });

  it('keeps what it confirmed: commits wait for the disk', async () => {
    const [row] = await query(
      server.url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages`,
    );
    expect(row).toEqual({ fsync: 'on', commit: 'on', pages: 'on' });
  });

  it('lets nobody in without the password, which only its user can read', async () => {
    const url = new URL(server.adminUrl);
    url.password = 'guess';
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const file = await stat(join(folder.dataDir, 'embedded-postgres.password'));
    expect(file.mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder.dataDir, 'pg_hba.conf'), 'utf8')).not.toMatch(/^[^#]*\btrust\b/m);
  });

  it('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) expect(await answers(address, server.port)).toBe(false);
    expect(await answers('127.0.0.1', server.port)).toBe(true);
  });

  it('delivers notifications from one connection to another', async () => {
    const listener = new pg.Client({ connectionString: server.url });
    await listener.connect();
    try {
      const notified = once(listener, 'notification');
      await listener.query('LISTEN wake');
      await query(server.url, "SELECT pg_notify('wake', 'up')");
      expect(await notified).toMatchObject([{ channel: 'wake', payload: 'up' }]);
    } finally {
      await listener.end();
    }
  });

  it('keeps its data over a restart, and tells that the exit was asked for', async () => {
    const { exited } = server;
    await server.stop();
    expect(await exited).toMatchObject({ expected: true });
    progress.length = 0;
    server = await start();
    expect(progress).toEqual(['starting the database']);
    expect(await query(server.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  });

  it('reports a death that nobody asked for, with the end of the log', async () => {
    process.kill(server.pid, 'SIGQUIT');
    const exit = await server.exited;
    expect(exit.expected).toBe(false);
    expect(exit.lastLog).toContain('received immediate shutdown request');
    server = await start();
    expect(progress).toContain('recovering the database, which was not shut down');
    expect(await query(server.url, 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  });

  it('begins a new log when the old one has grown large, and keeps one', async () => {
    await server.stop();
    const log = `${folder.dataDir}.log`;
    await writeFile(log, 'x'.repeat(5 * 1024 * 1024 + 1));
    server = await start();
    expect((await stat(log)).size).toBeLessThan(100_000);
    expect((await stat(`${log}.1`)).size).toBeGreaterThan(5_000_000);
  });
});

describe('settings of the caller', () => {
  it('come before the usual ones', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedPostgres({
      dataDir: folder.dataDir,
      settings: { ...DISPOSABLE_SETTINGS, max_connections: '17' },
    });
    try {
      const rows = await query(
        server.url,
        "SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections, current_setting('jit') AS jit",
      );
      expect(rows).toEqual([{ fsync: 'off', connections: '17', jit: 'off' }]);
    } finally {
      await server.stop();
      await folder.remove();
    }
  });
});

describe('Ctrl-C in the terminal', () => {
  it('does not reach the server, so that its owner can finish first', async () => {
    const folder = await temporaryFolder();
    const owner = launch({ dataDir: folder.dataDir, settings: DISPOSABLE_SETTINGS });
    try {
      const { url, pid } = await owner.server();
      // A terminal signals the process group, of which the launcher is the leader here.
      process.kill(-(owner.child.pid ?? 0), 'SIGINT');
      await owner.closed;
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      const next = launch({ dataDir: folder.dataDir });
      expect(await next.server()).toMatchObject({ pid, owner: true });
      await next.stop();
    } finally {
      await folder.remove();
    }
  });
});

async function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
