import { type ArchivedTable, ROW_CHECKS, RUN_STATES } from '@heddle/database';

const states = RUN_STATES.map((state) => `'${state}'`).join(', ');

/** What moves of a run. */
export const RUN_TABLES: readonly ArchivedTable[] = [
  {
    name: 'runs',
    owner: { project: 'project_id' },
    hasId: true,
    unique: { columns: ['name'], noun: 'run', label: 's.name', differs: 't.id <> s.id' },
    becomes: {
      // Whoever is about to write it writes it where it came from: here nobody will be heard of.
      state: "CASE WHEN s.state = 'RUNNING' AND s.heartbeat_at IS NOT NULL THEN 'CRASHED' ELSE s.state END",
      heartbeat_at: 'NULL::timestamptz',
      stop_requested: 'false',
    },
    checks: {
      'its name': ROW_CHECKS.isName('name'),
      'its state': `s.state IN (${states})`,
      'its configuration': ROW_CHECKS.isObject('config'),
    },
  },
  {
    name: 'run_metrics',
    owner: { column: 'run_id', of: 'runs' },
    checks: { 'a value': 's.value IS NOT NULL' },
  },
  {
    name: 'run_lines',
    owner: { column: 'run_id', of: 'runs' },
    checks: { 'its stream': "s.stream IN ('history', 'events', 'log') AND s.line_no >= 0" },
  },
];

/** $1: id of the project; $2: names. */
export const RUNS_BY_NAME = 'SELECT id, name FROM runs WHERE project_id = $1 AND name = ANY ($2)';
