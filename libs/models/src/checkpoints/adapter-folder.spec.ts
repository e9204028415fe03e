import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdapterFolder } from './adapter-folder.js';

const MINUTE_MS = 60_000;

describe('AdapterFolder', () => {
  let path: string;
  let folder: AdapterFolder;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'heddle-adapters-'));
    folder = new AdapterFolder(path, 250);
  });
  afterEach(() => rmSync(path, { recursive: true }));

  /** A directory with a file of 100 bytes, last used so many minutes ago. */
  async function placed(name: string, minutes = 0): Promise<void> {
    const incoming = await folder.incoming();
    writeFileSync(join(incoming, 'weights'), Buffer.alloc(100));
    await folder.place(incoming, name);
    const at = new Date(Date.now() - minutes * MINUTE_MS);
    utimesSync(join(path, name), at, at);
  }
  const trim = (held: string[] = []) => folder.trim((name) => held.includes(name));
  const names = (): string[] => readdirSync(path).sort();

  it('has a directory once it is placed, and not while it is filled', async () => {
    const incoming = await folder.incoming();
    expect(await folder.touch('a')).toBe(false);
    await folder.place(incoming, 'a');
    expect(await folder.touch('a')).toBe(true);
    expect(names()).toEqual(['a']);
  });

  it('keeps what is there when somebody else places the same', async () => {
    await placed('a');
    const incoming = await folder.incoming();
    await folder.place(incoming, 'a');
    expect(existsSync(join(path, 'a', 'weights'))).toBe(true);
  });

  it('removes, also what is not there', async () => {
    await placed('a');
    await folder.remove('a');
    await folder.remove('a');
    expect(names()).toEqual([]);
  });

  it('keeps what has room, however old', async () => {
    for (const name of ['a', 'b']) await placed(name, 1000);
    await trim();
    expect(names()).toEqual(['a', 'b']);
  });

  it('lets the least recently used go until the rest has room', async () => {
    await placed('newer', 20);
    await placed('oldest', 40);
    await placed('old', 30);
    await placed('newest', 11);
    await trim();
    expect(names()).toEqual(['newer', 'newest']);
  });

  it('keeps what is held, and what was used within ten minutes', async () => {
    await placed('held', 40);
    await placed('old', 30);
    await placed('a', 9);
    await placed('b');
    await trim(['held']);
    expect(names()).toEqual(['a', 'b', 'held']);
  });

  it('clears away what a dead process was filling', async () => {
    const [old, young] = [join(path, '.incoming-1'), join(path, '.trash-2')];
    for (const directory of [old, young]) mkdirSync(directory);
    const at = new Date(Date.now() - 61 * MINUTE_MS);
    utimesSync(old, at, at);
    await trim();
    expect(names()).toEqual(['.trash-2']);
  });
});
