import { ArchiveInvalidError, ArchiveTooNewError } from '../archives.errors.js';

export const FORMAT = 'heddle-archive';
export const VERSION = 1;

/** What an archive says of itself, first of all. */
export interface ArchiveManifest {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** ISO 8601. */
  created_at: string;
  /** Where it comes from, `entity/project`: what references in it say. */
  project: string;
  /** The runs that were chosen; null: the whole project. */
  runs: string[] | null;
  /** In the order in which they follow. */
  tables: ArchivedColumns[];
}

export interface ArchivedColumns {
  name: string;
  columns: string[];
}

/** What an archive says last of all: without it, it was cut off. */
export interface ArchiveEnd {
  tables: Record<string, TableTotals>;
  /** How many contents. Each is called by its own SHA-256. */
  files: number;
}

export interface TableTotals {
  rows: number;
  /** Hex, over all lines. */
  sha256: string;
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');
const isTable = (value: unknown): value is ArchivedColumns =>
  isObject(value) && typeof value['name'] === 'string' && isNames(value['columns']);

/**
 * @param known the columns of each table that moves
 * @throws ArchiveInvalidError | ArchiveTooNewError for what is no archive, or one that holds what is unknown here
 */
export function readManifest(text: string, known: ReadonlyMap<string, readonly string[]>): ArchiveManifest {
  const manifest = parse(text, 'manifest.json');
  if (manifest['format'] !== FORMAT) throw new ArchiveInvalidError('This is no archive of Heddle');
  if (manifest['version'] !== VERSION) {
    throw new ArchiveTooNewError(`format version ${JSON.stringify(manifest['version'])}, where ${VERSION} is known`);
  }
  const { project, tables, runs } = manifest;
  const isRead =
    typeof project === 'string' &&
    /^[^/]+\/[^/]+$/.test(project) &&
    Array.isArray(tables) &&
    tables.every(isTable) &&
    (runs === null || isNames(runs));
  if (!isRead) throw new ArchiveInvalidError("The archive's manifest.json lacks a field");
  for (const { name, columns } of tables) {
    const here = known.get(name);
    if (!here) throw new ArchiveTooNewError(`it lacks ${name}`);
    const unknown = columns.filter((column) => !here.includes(column));
    if (unknown.length > 0) throw new ArchiveTooNewError(`it lacks ${unknown.join(', ')} of ${name}`);
  }
  if (new Set(tables.map(({ name }) => name)).size < tables.length)
    throw new ArchiveInvalidError("The archive's manifest.json names a table twice");
  return manifest as unknown as ArchiveManifest;
}

/** @throws ArchiveInvalidError */
export function readEnd(text: string): ArchiveEnd {
  const end = parse(text, 'end.json');
  const { tables, files } = end;
  const isTotals = (value: unknown): boolean =>
    isObject(value) && Number.isSafeInteger(value['rows']) && typeof value['sha256'] === 'string';
  if (!Number.isSafeInteger(files) || !isObject(tables) || !Object.values(tables).every(isTotals))
    throw new ArchiveInvalidError("The archive's end.json lacks a field");
  return end as unknown as ArchiveEnd;
}

function parse(text: string, name: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new ArchiveInvalidError(`The archive's ${name} is no JSON object`);
}
