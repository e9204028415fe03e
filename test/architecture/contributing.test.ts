import { existsSync, readFileSync } from 'node:fs';

const MARKED = /`((?:apps|libs|test|tools)\/[\w./-]+|\.ci\/run|\.env\.example)`/g;

describe('CONTRIBUTING.md', () => {
  const paths = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(MARKED)].map(([, path]) => path!);

  it('names files of all six walks', () => {
    expect(paths.length).toBeGreaterThan(40);
  });

  it.each([...new Set(paths)])('names what is there: %s', (path) => {
    expect(existsSync(path)).toBe(true);
  });
});
