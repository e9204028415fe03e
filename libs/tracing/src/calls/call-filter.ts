import { ValidationError } from '@heddle/http';
import { encodeText, type JsonNode } from '@heddle/json';
import { type Static, Type } from 'typebox';
import { fieldReader } from '../request/read-fields.js';
import type { QuerySql } from '../query/query-sql.js';
import { indexedText } from '../values/indexed-text.js';

export const MAX_FILTER_VALUES = 10_000;

const values = Type.Optional(Type.Array(Type.String(), { maxItems: MAX_FILTER_VALUES }));
export const CallFilter = Type.Object(
  {
    op_names: values,
    input_refs: values,
    output_refs: values,
    parent_ids: values,
    trace_ids: values,
    call_ids: values,
    thread_ids: values,
    turn_ids: values,
    wb_user_ids: values,
    wb_run_ids: values,
    trace_roots_only: Type.Optional(Type.Boolean()),
  },
  {
    additionalProperties: false,
    description:
      'All fields must match; within a list, one value must. `op_names` and references may end in `:*` for any version.',
  },
);
type CallFilter = Static<typeof CallFilter>;

const readFilter = fieldReader(CallFilter);

/** Columns that a list of values is looked up in. */
const COLUMNS = {
  parent_ids: 'parent_id',
  trace_ids: 'trace_id',
  call_ids: 'id',
  thread_ids: 'thread_id',
  turn_ids: 'turn_id',
  wb_user_ids: 'wb_user_id',
  wb_run_ids: 'wb_run_id',
} as const;

const ANY_VERSION = ':*';

/**
 * SQL conditions over `calls c`, all of which must be true. An empty list is as good as none.
 * @throws ValidationError also for an unknown field, which, ignored, would let more calls through than were asked for
 */
export function filterConditions(node: JsonNode | undefined, sql: QuerySql): string[] {
  if (!node || node.kind === 'null') return [];
  const loc = ['body', 'filter'];
  const filter = readFilter(node, loc);
  for (const [name, value] of node.entries()) {
    if (Object.hasOwn(CallFilter.properties, name) || value.kind === 'null') continue;
    throw ValidationError.at([...loc, name.slice(0, 100)], 'There is no such filter', 'unknown_filter');
  }
  const lookups = Object.entries(COLUMNS).map(([name, column]) => {
    const wanted = filter[name as keyof typeof COLUMNS];
    return wanted?.length ? isOneOf(`c.${column}`, wanted, sql) : undefined;
  });
  const conditions = [
    ...lookups,
    opNames(filter, sql),
    overlap('input_refs', filter, sql),
    overlap('output_refs', filter, sql),
    filter.trace_roots_only ? 'c.parent_id IS NULL' : undefined,
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** Of one value, an index also gives the order; of a list it doesn't, be it a list of one. */
function isOneOf(column: string, wanted: readonly string[], sql: QuerySql): string {
  const stored = wanted.map(indexedText);
  return stored.length === 1
    ? `${column} = ${sql.bind(stored[0], 'text')}`
    : `${column} = ANY(${sql.bind(stored, 'text[]')})`;
}

/** Exact names, or with the suffix `:*` any version of the op. */
function opNames({ op_names: names = [] }: CallFilter, sql: QuerySql): string | undefined {
  if (names.length === 0) return undefined;
  const exact = names.filter((name) => !name.endsWith(ANY_VERSION));
  const prefixes = names.filter((name) => name.endsWith(ANY_VERSION)).map((name) => name.slice(0, -1));
  const conditions = prefixes.map((prefix) => `c.op_name ^@ ${sql.bind(encodeText(prefix), 'text')}`);
  if (exact.length > 0) conditions.push(isOneOf('c.op_name', exact, sql));
  return `(${conditions.join(' OR ')})`;
}

/** Exact references, or with the suffix `:*` any version of the object. */
function overlap(name: 'input_refs' | 'output_refs', filter: CallFilter, sql: QuerySql): string | undefined {
  const wanted = filter[name] ?? [];
  if (wanted.length === 0) return undefined;
  const exact = wanted.filter((ref) => !ref.endsWith(ANY_VERSION));
  const prefixes = wanted.filter((ref) => ref.endsWith(ANY_VERSION)).map((ref) => encodeText(ref.slice(0, -1)));
  const conditions = exact.length > 0 ? [`c.${name} && ${sql.bind(exact.map(indexedText), 'text[]')}`] : [];
  if (prefixes.length > 0) {
    const starts = sql.bind(prefixes, 'text[]');
    conditions.push(
      `EXISTS (SELECT FROM unnest(c.${name}) AS r (ref), unnest(${starts}) AS s (start) WHERE ref ^@ start)`,
    );
  }
  return `(${conditions.join(' OR ')})`;
}
