import type { Run, RunState } from '@heddle/database';
import { writeExact } from '@heddle/json';

/** What clients say of a run beside its state and its history. Undefined leaves it as it is. */
export interface RunDetails {
  displayName?: string;
  config?: Record<string, unknown>;
  /** The configuration as a client wrote it, beside the `config` that was read from it. JSON text. */
  clientConfig?: string;
  /** JSON text. */
  summary?: string;
  notes?: string;
  tags?: string[];
  group?: string;
  jobType?: string;
  host?: string;
  program?: string;
  commit?: string;
}

export interface NewRun extends RunDetails {
  /** Default: a random one. */
  name?: string;
}

export interface RunChanges extends RunDetails {
  state?: RunState;
  stopRequested?: boolean;
  /** The greatest step that is left, after some were taken back. */
  lastStep?: string | null;
  /** When its client was last heard of; null: nobody speaks for it any longer. */
  heartbeatAt?: Date | null;
}

/** The columns that change. */
export function columnsOf({ config, clientConfig, ...changes }: RunChanges): Partial<Run> {
  const columns: Partial<Run> = { ...changes };
  if (config !== undefined) {
    columns.config = writeExact(config);
    columns.clientConfig = clientConfig ?? null;
  }
  const named = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<Run>;
}
