import { type Cell, type ColumnName, isResent, type Merge, WRITTEN_COLUMNS } from './call-columns.js';

type CellName = Exclude<ColumnName, 'long_texts'>;
type Cells = Record<CellName, Cell>;

/** All that one request says about one call: a row for the upsert. */
export interface CallWrite extends Cells {
  project_id: number;
  id: string;
  ended_at: bigint | null;
  /** Encoded originals by their shortened forms, see `indexedText`. */
  long_texts: Record<string, string> | null;
  /** A display name that came with the end, and replaces the one of the start. */
  rename: string | null;
}

export const emptyWrite = (projectId: number, id: string): CallWrite => ({ ...NOTHING, project_id: projectId, id });

const NOTHING = {
  ...Object.fromEntries(WRITTEN_COLUMNS.map(({ name }) => [name, null])),
  rename: null,
} as unknown as CallWrite;

/** Columns that come and go together: one decides, and its followers do as it does. */
interface ColumnGroup {
  decider: CellName;
  followers: CellName[];
}

/** Merges what arrived later into what arrived before, by the same rules as the statement does: see `Merge`. */
export function mergeInto(before: CallWrite, later: CallWrite): void {
  if (before.otel_dump !== null && later.otel_dump !== null && later.ended_at !== null) {
    for (const { name } of RESENT_COLUMNS) (before as Cells)[name] = later[name];
  }
  for (const group of FIRST_GROUPS) if (before[group.decider] === null) take(before, later, group);
  if (later.ended_at !== null && (before.ended_at === null || later.ended_at >= before.ended_at)) {
    const asOne = before.ended_at === null || later.ended_at > before.ended_at;
    for (const group of END_GROUPS) if (asOne || later[group.decider] !== null) take(before, later, group);
    before.rename = later.rename ?? before.rename;
  }
  if (later.long_texts) before.long_texts = { ...before.long_texts, ...later.long_texts };
}

function take(before: Cells, later: Cells, { decider, followers }: ColumnGroup): void {
  before[decider] = later[decider];
  for (const follower of followers) before[follower] = later[follower];
}

const isCell = (name: ColumnName): name is CellName => name !== 'long_texts';

function groupsOf(merge: Merge): ColumnGroup[] {
  const columns = WRITTEN_COLUMNS.filter((column) => column.merge === merge);
  const names = columns.map(({ name }) => name).filter(isCell);
  const followersOf = (decider: ColumnName): CellName[] =>
    columns
      .filter(({ of }) => of === decider)
      .map(({ name }) => name)
      .filter(isCell);
  const deciders = names.filter((name) => columns.some((column) => column.name === name && !column.of));
  return deciders.map((decider) => ({ decider, followers: followersOf(decider) }));
}

const FIRST_GROUPS = groupsOf('first');
const END_GROUPS = groupsOf('end');
const RESENT_COLUMNS = WRITTEN_COLUMNS.filter(isResent) as readonly { name: CellName }[];
