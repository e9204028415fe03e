import type { RunState } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import type { RunDetails } from '@heddle/runs';
import { checkSummary, readSdkConfig } from './sdk-config.js';

/** Null leaves a field as it is. */
export interface UpsertBucketInput {
  id?: string | null;
  name?: string | null;
  modelName?: string | null;
  entityName?: string | null;
  displayName?: string | null;
  groupName?: string | null;
  description?: string | null;
  notes?: string | null;
  commit?: string | null;
  config?: string | null;
  summaryMetrics?: string | null;
  host?: string | null;
  jobType?: string | null;
  jobProgram?: string | null;
  sweep?: string | null;
  state?: string | null;
  tags?: string[] | null;
}

const STATES: Readonly<Record<string, RunState>> = {
  running: 'RUNNING',
  finished: 'FINISHED',
  failed: 'FAILED',
  killed: 'FAILED',
  crashed: 'CRASHED',
};

export function readRunDetails(input: UpsertBucketInput): RunDetails {
  const { displayName, groupName, description, notes, commit, config, summaryMetrics, host, jobType, tags } = input;
  const details = {
    displayName: storable(displayName || null),
    group: storable(groupName),
    notes: storable(notes ?? description),
    commit: storable(commit),
    host: storable(host),
    jobType: storable(jobType),
    program: storable(input.jobProgram),
    tags: tags?.map((tag) => storable(tag)!),
    summary: typeof summaryMetrics === 'string' ? checkSummary(summaryMetrics) : undefined,
    ...(typeof config === 'string' && readSdkConfig(config)),
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as RunDetails;
}

export function readState(state: string | null | undefined): RunState | undefined {
  if (state === null || state === undefined) return undefined;
  const known = STATES[state.toLowerCase()];
  if (known) return known;
  throw ValidationError.at(['variables', 'state'], `is none of ${Object.keys(STATES).join(', ')}`, 'state', state);
}

/** Stands in URLs. */
export function checkRunName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH && !/^\.{1,2}$|[/:\p{Cc}\p{Cs}]/u.test(name)) return name;
  const msg = `A run's id has 1 to ${MAX_NAME_LENGTH} printable characters, without slashes and colons`;
  throw ValidationError.at(['variables', 'name'], msg, 'run_name', name);
}

/** PostgreSQL has no place for U+0000. */
const storable = (text: string | null | undefined): string | undefined => text?.replaceAll('\0', '\u2400');
