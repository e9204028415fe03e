import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson, writeWholeDirectory } from './durable-write.js';

describe('a directory', () => {
  let home: string;
  let path: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'heddle-durable-'));
    path = join(home, 'new');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('appears with all its files', async () => {
    await writeWholeDirectory(path, async (partial) => {
      await writeJson(join(partial, 'a.json'), { a: 1 });
      expect(existsSync(path)).toBe(false);
    });
    expect(readFileSync(join(path, 'a.json'), 'utf8')).toBe('{\n  "a": 1\n}\n');
    expect(readdirSync(home)).toEqual(['new']);
  });

  it('leaves nothing behind when a file fails', async () => {
    const failing = writeWholeDirectory(path, async (partial) => {
      await writeJson(join(partial, 'a.json'), {});
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(readdirSync(home)).toEqual([]);
  });

  it('never replaces another, even an empty one that appeared meanwhile', async () => {
    const refusal = { code: 'invalid_request', message: 'the directory new exists already' };
    await expect(writeWholeDirectory(path, async () => mkdirSync(path))).rejects.toMatchObject(refusal);
    await expect(writeWholeDirectory(path, () => Promise.resolve())).rejects.toMatchObject(refusal);
    expect(readdirSync(home)).toEqual(['new']);
  });
});
