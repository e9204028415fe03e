import { BackupError } from './backup.errors.js';

/** What an archive says of itself, first of all. */
export interface Manifest {
  format: 1;
  /** Of Heddle. */
  createdAt: string;
  /** The schema that its rows belong to: the migrations that had run. */
  migrations: string[];
  /** In the order in which they follow. */
  tables: TableColumns[];
}

export interface TableColumns {
  name: string;
  columns: string[];
}

/** What an archive says last of all: without it, it was cut off. */
export interface Totals {
  /** Rows by table. */
  rows: Record<string, number>;
  files: number;
}

/** @throws BackupError for what is no archive of Heddle's, or one of a newer Heddle */
export function readManifest(text: string, known: readonly string[]): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  if ((manifest.format as number) !== 1)
    throw new BackupError('A newer Heddle made this backup: update this one first');
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BackupError(`A newer Heddle made this backup: update this one first (it lacks ${unknown.join(', ')})`);
  }
  return manifest;
}
