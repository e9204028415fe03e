import { readEnd, readManifest } from './archive-manifest.js';

const KNOWN = new Map([['runs', ['id', 'name']]]);
const manifest = (fields: object = {}): string =>
  JSON.stringify({
    format: 'heddle-archive',
    version: 1,
    created_at: '',
    project: 'a/b',
    runs: null,
    tables: [],
    ...fields,
  });
const read = (fields: object) => () => readManifest(manifest(fields), KNOWN);

describe('readManifest', () => {
  it('takes what is known here, and less of it: an older Heddle made that', () => {
    const tables = [{ name: 'runs', columns: ['name'] }];
    expect(readManifest(manifest({ tables }), KNOWN)).toMatchObject({ project: 'a/b', tables });
  });

  it('refuses what is unknown here, and names it', () => {
    expect(read({ version: 2 })).toThrow(/newer Heddle.*format version 2/);
    expect(read({ tables: [{ name: 'dreams', columns: [] }] })).toThrow(/newer Heddle.*lacks dreams/);
    expect(read({ tables: [{ name: 'runs', columns: ['id', 'mood'] }] })).toThrow(/newer Heddle.*lacks mood of runs/);
  });

  it('refuses what is no manifest', () => {
    expect(() => readManifest('{', KNOWN)).toThrow(/no JSON object/);
    expect(() => readManifest('[]', KNOWN)).toThrow(/no JSON object/);
    expect(read({ format: 'tar' })).toThrow(/no archive of Heddle/);
    expect(read({ project: 'a' })).toThrow(/lacks a field/);
    expect(read({ tables: [{ name: 'runs' }] })).toThrow(/lacks a field/);
    const runs = { name: 'runs', columns: [] };
    expect(read({ tables: [runs, runs] })).toThrow(/a table twice/);
  });
});

describe('readEnd', () => {
  it('reads totals', () => {
    const end = { tables: { runs: { rows: 1, sha256: 'x' } }, files: 2 };
    expect(readEnd(JSON.stringify(end))).toEqual(end);
  });

  it.each([['{}'], ['{"tables": {}, "files": "2"}'], ['{"tables": {"runs": {"rows": 1}}, "files": 0}'], ['null']])(
    'refuses %s',
    (text) => expect(() => readEnd(text)).toThrow(/end\.json/),
  );
});
