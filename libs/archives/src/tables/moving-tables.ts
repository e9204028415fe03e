import { ARTIFACT_TABLES } from '@heddle/artifacts';
import type { ArchivedTable } from '@heddle/database';
import { MODEL_TABLES } from '@heddle/models';
import { RUN_TABLES } from '@heddle/runs';
import { TRACE_TABLES } from '@heddle/tracing';
import { SDK_TABLES } from '@heddle/wandb';

/** Everything that moves, those that others need before them. */
export const MOVING_TABLES: readonly ArchivedTable[] = [
  ...RUN_TABLES,
  ...ARTIFACT_TABLES,
  ...MODEL_TABLES,
  ...SDK_TABLES,
  ...TRACE_TABLES,
];

const byName = new Map(MOVING_TABLES.map((table) => [table.name, table]));

export function tableOf(name: string): ArchivedTable {
  const table = byName.get(name);
  if (!table) throw new TypeError(`no table ${name} moves`);
  return table;
}
