import { type Column, isResent, WRITTEN_COLUMNS } from './call-columns.js';

/*
 * One statement of constant text for any number of calls: each column arrives as one array. Compared with a VALUES list of
 * thousands of parameters there is next to nothing to parse and to plan.
 */
const names = WRITTEN_COLUMNS.map(({ name }) => name).join(', ');
const arrays = WRITTEN_COLUMNS.map(({ type }, i) => `$${i + 1}::${elementType(type)}[]`).join(', ');
const scalars = WRITTEN_COLUMNS.map(({ type }, i) => `$${i + 1}::${elementType(type)}`).join(', ');
const selected = WRITTEN_COLUMNS.map(({ name, type }) => `w.${name}::${type}`).join(', ');
const merged = WRITTEN_COLUMNS.filter(({ merge }) => merge !== 'key');

/** See {@link isResent}. */
const RESENT = 'c.otel_dump IS NOT NULL AND excluded.otel_dump IS NOT NULL AND excluded.ended_at IS NOT NULL';

const upsertFrom = (rows: string): string => `
  INSERT INTO calls AS c (${names})
  SELECT ${selected} FROM ${rows} AS w (${names})
  ON CONFLICT (project_id, id) DO UPDATE SET ${merged.map((column) => `${column.name} = ${mergedValue(column)}`).join(', ')}
  WHERE ${merged.map(changes).join(' OR ')} OR ${RESENT} AND c.otel_dump IS DISTINCT FROM excluded.otel_dump`;

/** Inserts calls, or merges them into what is stored (see `Merge`). Rows that would stay as they are aren't touched. */
export const UPSERT_CALLS = upsertFrom(`unnest(${arrays})`);

/** The same for one call, with a parameter for each column: arrays would be copied twice more on the way. */
export const UPSERT_LARGE_CALL = upsertFrom(`(VALUES (${scalars}))`);

/** Array elements can't be arrays: those come as text. */
function elementType(type: Column['type']): string {
  return type === 'text[]' || type === 'jsonb' ? 'text' : type;
}

function mergedValue(column: Column): string {
  const { name } = column;
  if (isResent(column)) return `CASE WHEN ${RESENT} THEN excluded.${name} ELSE ${ofTwo(column)} END`;
  return ofTwo(column);
}

function ofTwo({ name, merge, of = name }: Column): string {
  if (merge === 'first') return `CASE WHEN c.${of} IS NULL THEN excluded.${name} ELSE c.${name} END`;
  if (merge === 'union') return `coalesce(c.${name} || excluded.${name}, c.${name}, excluded.${name})`;
  return `CASE
    WHEN excluded.ended_at > c.ended_at THEN excluded.${name}
    WHEN excluded.ended_at IS NULL OR excluded.ended_at < c.ended_at OR excluded.${of} IS NULL THEN c.${name}
    ELSE excluded.${name} END`;
}

/** True where the merged value differs from the stored one; written so that stored payloads need not be read for it. */
function changes({ name, merge, of }: Column): string {
  if (of) return 'false';
  const [stored, sent] = [`c.${name}`, `excluded.${name}`];
  if (merge === 'first') return `${stored} IS NULL AND ${sent} IS NOT NULL`;
  if (merge === 'union') return `NOT coalesce(${stored}, '{}') @> ${sent}`;
  if (name === 'ended_at') return `${sent} > ${stored} OR ${stored} IS NULL AND ${sent} IS NOT NULL`;
  return `excluded.ended_at = c.ended_at AND ${sent} IS NOT NULL AND ${stored} IS DISTINCT FROM ${sent}`;
}

/** Ends may rename their calls; that of an end that was outdone by a later one doesn't count. */
export const RENAME_CALLS = `
  UPDATE calls c SET display_name = w.name
  FROM unnest($1::integer[], $2::text[], $3::timestamptz[], $4::text[]) AS w (project_id, id, ended_at, name)
  WHERE c.project_id = w.project_id AND c.id = w.id AND c.ended_at = w.ended_at AND c.display_name IS DISTINCT FROM w.name`;
