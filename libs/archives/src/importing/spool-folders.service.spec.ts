import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '@heddle/config';
import { SpoolFoldersService } from './spool-folders.service.js';

describe('SpoolFoldersService', () => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-spool-'));
  const folders = new SpoolFoldersService({ DATA_DIR: root } as Env);
  const names = () => readdirSync(join(root, 'archives'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('lends a folder, and takes it away whatever happens', async () => {
    const failing = folders.within((folder) => {
      writeFileSync(join(folder, 'rows'), 'x');
      return Promise.reject(new Error('refused'));
    });
    await expect(failing).rejects.toThrow('refused');
    expect(names()).toEqual([]);
  });

  it('removes those in which nothing was written for a while', async () => {
    const old = new Date('2026-01-01T00:00:00Z');
    const make = (name: string, folderTime: Date, fileTime: Date) => {
      const folder = join(root, 'archives', name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'rows'), 'x');
      utimesSync(join(folder, 'rows'), fileTime, fileTime);
      utimesSync(folder, folderTime, folderTime);
    };
    make('abandoned', old, old);
    make('growing', old, new Date());
    expect(await folders.removeAbandoned(new Date('2026-01-02T00:00:00Z'))).toBe(1);
    expect(names()).toEqual(['growing']);
  });

  it('removes nothing where nothing ever came', async () => {
    const fresh = new SpoolFoldersService({ DATA_DIR: join(root, 'fresh') } as Env);
    expect(await fresh.removeAbandoned(new Date())).toBe(0);
  });
});
