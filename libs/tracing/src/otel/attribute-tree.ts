import type { OtelMap, OtelValue } from './otel-value.js';

/** Longer keys stay as they are: JSON that is nested as deep as a hostile key is long helps nobody. */
const MAX_SEGMENTS = 32;

/** A level that stands for a dot in a key, as opposed to a map that an attribute holds. */
class Branch extends Map<string, OtelValue> {}

/**
 * Nests dotted keys, so that `attributes.llm.model` can be asked for: `{"a.b": 1, "c.0.d": 2}` becomes
 * `{"a": {"b": 1}, "c": [{"d": 2}]}`. A key that leads through another attribute's value stays flat.
 */
export function nestAttributes(flat: OtelMap): OtelMap {
  const root = new Branch();
  // Short keys first, so that the outcome doesn't depend on the order in which they came.
  for (const key of [...flat.keys()].sort((a, b) => a.length - b.length)) {
    const value = flat.get(key)!;
    const path = key.split('.');
    const parent = path.length > MAX_SEGMENTS ? undefined : branchAt(root, path);
    const name = path.at(-1)!;
    if (!parent || parent.has(name)) root.set(key, value);
    else parent.set(name, value);
  }
  for (const [key, value] of root) if (value instanceof Branch) root.set(key, listsFrom(value));
  return root;
}

/** The value of a dotted key in nested attributes. */
export function attributeAt(tree: OtelMap, key: string): OtelValue | undefined {
  let value: OtelValue | undefined = tree;
  for (const name of segmentsOf(key)) {
    if (!(value instanceof Map)) return tree.get(key);
    value = value.get(name);
    // Most keys of the conventions differ from all of a span's in their first word.
    if (value === undefined) return tree.get(key);
  }
  return value ?? tree.get(key);
}

/** Of the conventions' keys, which are looked for in every span. */
const SEGMENTS = new Map<string, readonly string[]>();

function segmentsOf(key: string): readonly string[] {
  const known = SEGMENTS.get(key) ?? key.split('.');
  SEGMENTS.set(key, known);
  return known;
}

/** Where the last of the path's names belongs. */
function branchAt(root: Branch, path: readonly string[]): Branch | undefined {
  let branch = root;
  for (let level = 0; level < path.length - 1; level++) {
    const found = branch.get(path[level]!);
    const next = found === undefined ? new Branch() : found;
    if (!(next instanceof Branch)) return undefined;
    if (found === undefined) branch.set(path[level]!, next);
    branch = next;
  }
  return branch;
}

/** Branches named 0, 1, 2, ... become lists. */
function listsFrom(value: OtelValue): OtelValue {
  if (!(value instanceof Branch)) return value;
  for (const [key, child] of value) if (child instanceof Branch) value.set(key, listsFrom(child));
  if (!value.has('0')) return value;
  const items = Array.from({ length: value.size }, (_, index) => value.get(String(index)));
  return items.every((item) => item !== undefined) ? items : value;
}
