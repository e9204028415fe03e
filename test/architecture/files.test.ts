import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAX_LINES = 250;
const MAX_FILES = 24;
/** One file a table, found by the table's name; one a change of the schema, found by its number, and never taken away. */
const CROWDED = ['libs/database/src/entities'];

const sources = ['apps', 'libs', 'tools'].flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name)),
);

describe('source files', () => {
  it(`are short: none over ${MAX_LINES} lines, the median at most 60`, () => {
    const lengths = sources.map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(60);
  });

  it('are named <noun>.<role>.ts in kebab case, never after what they have in common', () => {
    const names = sources.map((file) => file.split('/').at(-1)!);
    expect(names.filter((name) => !/^[a-z0-9-]+(\.[a-z-]+)*\.ts$/.test(name))).toEqual([]);
    expect(sources.filter((file) => /\b(utils?|helpers?|common|shared|core|misc)\b/.test(file))).toEqual([]);
  });

  it(`lie in folders that are seen at a glance: at most ${MAX_FILES} in one`, () => {
    const folders = sources.map((file) => dirname(file));
    const isCrowded = (folder: string) => folders.filter((other) => other === folder).length > MAX_FILES;
    expect([...new Set(folders)].filter((folder) => isCrowded(folder) && !CROWDED.includes(folder))).toEqual([]);
  });

  it('keep tables out of features: entities live in libs/database', () => {
    const strays = sources.filter(
      (file) => !file.startsWith('libs/database/') && /@Entity\(/.test(readFileSync(file, 'utf8')),
    );
    expect(strays).toEqual([]);
  });

  it('never synchronise the schema', () => {
    expect(sources.filter((file) => /synchronize: true/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
