/** What an entry of an archive is, by its name; null for a name that no archive has: one with a path outside, for example. */
export type EntryName =
  | { kind: 'manifest' }
  /** Part of the lines of a table, counted from 0. */
  | { kind: 'rows'; table: string; part: number }
  | { kind: 'file'; sha256: string }
  | { kind: 'end' };

export const MANIFEST = 'manifest.json';
export const END = 'end.json';
const ROWS = /^rows\/([a-z_]{1,63})\/(0|[1-9]\d{0,8})$/;
const FILE = /^files\/([\da-f]{64})$/;

export const rowsOf = (table: string): string => `rows/${table}`;
export const fileOf = (sha256: string): string => `files/${sha256}`;

export function parseEntryName(name: string): EntryName | null {
  if (name === MANIFEST) return { kind: 'manifest' };
  if (name === END) return { kind: 'end' };
  const rows = ROWS.exec(name);
  if (rows) return { kind: 'rows', table: rows[1]!, part: Number(rows[2]) };
  const file = FILE.exec(name);
  return file ? { kind: 'file', sha256: file[1]! } : null;
}
