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
  for (const [key, value] of [...flat].sort(([a], [b]) => a.length - b.length)) {
    const path = key.split('.');
    const parent = path.length > MAX_SEGMENTS ? undefined : branchAt(root, path.slice(0, -1));
    const name = path.at(-1)!;
    if (!parent || parent.has(name)) root.set(key, value);
    else parent.set(name, value);
  }
  for (const [key, value] of root) root.set(key, listsFrom(value));
  return root;
}

/** The value of a dotted key in nested attributes. */
export function attributeAt(tree: OtelMap, key: string): OtelValue | undefined {
  let value: OtelValue | undefined = tree;
  for (const name of key.split('.')) {
    if (!(value instanceof Map)) return tree.get(key);
    value = value.get(name);
  }
  return value ?? tree.get(key);
}

function branchAt(root: Branch, path: string[]): Branch | undefined {
  let branch = root;
  for (const name of path) {
    const next = branch.get(name) ?? new Branch();
    if (!(next instanceof Branch)) return undefined;
    branch.set(name, next);
    branch = next;
  }
  return branch;
}

/** Branches named 0, 1, 2, ... become lists. */
function listsFrom(value: OtelValue): OtelValue {
  if (!(value instanceof Branch)) return value;
  for (const [key, child] of value) value.set(key, listsFrom(child));
  const items = Array.from({ length: value.size }, (_, index) => value.get(String(index)));
  return items.every((item) => item !== undefined) ? items : value;
}
