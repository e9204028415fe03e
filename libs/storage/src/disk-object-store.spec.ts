import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DiskObjectStore } from './disk-object-store.js';

describe('DiskObjectStore', () => {
  let folder: string;
  let objects: DiskObjectStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-objects-'));
    objects = new DiskObjectStore(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function put(key: string, content: string): Promise<void> {
    writeFileSync(join(folder, 'draft'), content);
    await objects.put(key, join(folder, 'draft'));
  }

  it('moves a file to its key, which is its path', async () => {
    await put('a/b/c.txt', 'abc');
    expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('abc');
    expect(readdirSync(folder)).toEqual(['a']);
    expect(await objects.sizeOf('a/b/c.txt')).toBe(3);
    expect(await text((await objects.open('a/b/c.txt'))!)).toBe('abc');
    expect(await text((await objects.open('a/b/c.txt', { start: 1, end: 1 }))!)).toBe('b');
  });

  it('puts a file in place of another, and removes it, were it not there either', async () => {
    await put('a/b', 'old');
    await put('a/b', 'newer');
    expect(await objects.sizeOf('a/b')).toBe(5);
    await objects.remove('a/b');
    await objects.remove('a/b');
    expect([await objects.sizeOf('a/b'), await objects.open('a/b')]).toEqual([null, null]);
  });

  it('lists what is below a folder, at any depth, with the time of its last change', async () => {
    for (const key of ['t/one', 't/deep/er/two', 'u/three']) await put(key, key);
    const found = [];
    for await (const { key, modifiedAt } of objects.list('t')) {
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      found.push(key);
    }
    expect(found.sort()).toEqual(['t/deep/er/two', 't/one']);
    for await (const { key } of objects.list('nothing')) throw new Error(key);
  });

  it.each(['', '/etc/passwd', '../out', 'a/../../out', 'a//b', 'a/', '.hidden', 'a\\b', 'a\0b'])(
    'takes no key that could lead elsewhere: %j',
    async (key) => {
      await expect(objects.open(key)).rejects.toThrow(TypeError);
      await expect(objects.put(key, 'x')).rejects.toThrow(TypeError);
      expect(() => objects.remove(key)).toThrow(TypeError);
    },
  );

  it('has no addresses for clients, and nothing to check', async () => {
    expect(await objects.linkTo()).toBeNull();
    await expect(objects.check()).resolves.toBeUndefined();
  });
});
