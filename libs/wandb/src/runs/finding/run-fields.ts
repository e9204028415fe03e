import { ValidationError } from '@heddle/http';
import { fromJsonDouble } from '@heddle/json';
import { readLenient } from '@heddle/runs';

/** What filters and orders may ask of a run; `config` and `summary` are JSON text, and null where nothing asks for them. */
export interface RunRow {
  id: string;
  /** With microseconds, in UTC. */
  created: string;
  name: string;
  display_name: string;
  state: string;
  tags: string[];
  notes: string | null;
  group_name: string | null;
  job_type: string | null;
  host: string | null;
  git_commit: string | null;
  created_by: string;
  heartbeat: Date;
  config: string | null;
  summary: string | null;
}

type Field = (row: RunRow) => unknown;

const state: Field = (row) => row.state.toLowerCase();
const created: Field = (row) => new Date(row.created);
const heartbeat: Field = (row) => row.heartbeat;

/** By the names that clients use for them; both spellings are in use. */
const FIELDS: Readonly<Record<string, Field>> = {
  id: (row) => row.id,
  name: (row) => row.name,
  display_name: (row) => row.display_name,
  displayName: (row) => row.display_name,
  state,
  tags: (row) => row.tags,
  notes: (row) => row.notes,
  description: (row) => row.notes,
  group: (row) => row.group_name,
  job_type: (row) => row.job_type,
  jobType: (row) => row.job_type,
  host: (row) => row.host,
  commit: (row) => row.git_commit,
  username: (row) => row.created_by,
  'user.username': (row) => row.created_by,
  user: (row) => row.created_by,
  created_at: created,
  createdAt: created,
  heartbeat_at: heartbeat,
  heartbeatAt: heartbeat,
  updated_at: heartbeat,
  updatedAt: heartbeat,
  // Sweeps are not served: no run is in one.
  sweep: () => null,
};

const CONFIG = /^config\.(.+)$/s;
const SUMMARY = /^(?:summary_metrics|summaryMetrics|summary)\.(.+)$/s;

/** Which text a name is looked for in; null for what stands in a column. */
function pathIn(name: string): { column: 'config' | 'summary'; path: string } | null {
  const [, inConfig] = CONFIG.exec(name) ?? [];
  if (inConfig !== undefined) return { column: 'config', path: inConfig };
  const [, inSummary] = SUMMARY.exec(name) ?? [];
  return inSummary === undefined ? null : { column: 'summary', path: inSummary };
}

/** @throws ValidationError for what runs don't have */
export function checkRunField(name: string): { column: 'config' | 'summary' } | null {
  const found = pathIn(name);
  if (found || Object.hasOwn(FIELDS, name)) return found;
  throw ValidationError.at(['variables'], `Runs have no '${name}' to find or order them by`, 'run_field', name);
}

/** A run's values by name. What stands in JSON is read once, when it is first asked for. */
export function runValues(row: RunRow): (name: string) => unknown {
  const read: Partial<Record<'config' | 'summary', unknown>> = {};
  return (name) => {
    const inJson = pathIn(name);
    if (!inJson) return FIELDS[name]!(row);
    const { column, path } = inJson;
    const root = (read[column] ??= readJson(row[column]));
    const found = valueAt(root, path);
    // Among what a run came to, NaN and the infinities are numbers.
    if (column === 'summary') return fromJsonDouble(found) ?? found;
    // As clients see a configuration: each value in an object of its own.
    return found === undefined ? valueAt(root, path.replace(/\.value(?=\.|$)/, '')) : found;
  };
}

function readJson(text: string | null): unknown {
  try {
    return readLenient(text ?? '{}');
  } catch {
    return {};
  }
}

/** A key with dots names what is nested, unless it is a key by itself. */
export function valueAt(root: unknown, path: string): unknown {
  if (typeof root !== 'object' || root === null) return undefined;
  if (Object.hasOwn(root, path)) return (root as Record<string, unknown>)[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    if (!Object.hasOwn(root, key)) continue;
    const found = valueAt((root as Record<string, unknown>)[key], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
