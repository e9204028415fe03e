import type { JsonNode } from '@heddle/json';
import { splitPath } from '../../query/field-path.js';
import { PAYLOADS, type Payload } from '../call-field.js';

/**
 * A field that lies behind references: with `expand_columns: ["inputs.model"]`, `inputs.model.name` is the `name` of what the
 * reference in `inputs.model` names.
 */
export interface ExpandedField {
  name: string;
  column: Payload;
  /** In the payload, to the first reference. */
  path: string[];
  /** From what a reference names to the next one, and at last to the value. */
  steps: string[][];
}

/** What is at the end of each reference that stands at the field's path in some call. */
export interface ExpandedValues extends ExpandedField {
  values: { ref: string; value: string }[];
}

/** Fields of a query and a sort that the columns expand. */
export function expandedFields(columns: readonly string[], query?: JsonNode, sortBy?: JsonNode): ExpandedField[] {
  if (columns.length === 0) return [];
  const names = new Set([
    ...namedIn(query),
    ...[...(sortBy?.items() ?? [])].map((key) => key.get('field')?.string() ?? ''),
  ]);
  return [...names].flatMap((name) => expandedField(name, columns) ?? []);
}

function expandedField(name: string, columns: readonly string[]): ExpandedField | undefined {
  const parts = splitPath(name);
  const within = columns
    .map(splitPath)
    .filter(
      (column) => column.length > 1 && column.length <= parts.length && column.every((part, i) => part === parts[i]),
    )
    .sort((a, b) => a.length - b.length);
  const [first, ...rest] = within;
  const column = first && PAYLOADS.find((payload) => payload === first[0]);
  if (!column) return undefined;
  const ends = [...rest.map((path) => path.length), parts.length];
  const steps = ends.map((end, i) => parts.slice(within[i]!.length, end));
  return { name, column, path: first.slice(1), steps };
}

/** Names in `$getField`, wherever they stand. */
function namedIn(node: JsonNode | undefined): string[] {
  if (!node) return [];
  if (node.kind === 'array') return [...node.items()].flatMap(namedIn);
  if (node.kind !== 'object') return [];
  return [...node.entries()].flatMap(([key, value]) =>
    key === '$getField' ? (value.string() ?? []) : key === '$literal' ? [] : namedIn(value),
  );
}
