import { appendMember, indexJson, jsonArray, type JsonNode, jsonObject, raw } from '@heddle/json';

/** The string at a path in a JSON text, if there is one. */
export async function textAt(json: string | null, path: readonly string[]): Promise<string | undefined> {
  if (json === null) return undefined;
  let node: JsonNode | undefined = await indexJson(Buffer.from(json), { depth: path.length });
  for (const key of path) node = node && childOf(node, key);
  return node?.string();
}

/**
 * The JSON text with a value in the place of the reference that stood at a path. An object gets the reference as `_ref`.
 * @param value JSON text; null for what the reference doesn't lead to
 */
export async function withReplaced(
  json: string,
  path: readonly string[],
  value: Buffer | null,
  ref: string,
): Promise<string> {
  const isObject = value !== null && (await indexJson(value, { depth: 0 })).kind === 'object';
  const replacement = isObject ? appendMember(value, '_ref', ref) : (value ?? Buffer.from('null'));
  return rewritten(await indexJson(Buffer.from(json), { depth: path.length }), path, replacement).toString();
}

function rewritten(node: JsonNode, [key, ...rest]: readonly string[], replacement: Buffer): Buffer {
  if (key === undefined) return replacement;
  const child = (name: string, value: JsonNode) =>
    raw(name === key ? rewritten(value, rest, replacement) : value.raw());
  if (node.kind === 'array') return jsonArray([...node.items()].map((item, i) => child(String(i), item)));
  return jsonObject([...node.entries()].map(([name, value]) => [name, child(name, value)]));
}

function childOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind !== 'array') return node.get(key);
  return /^\d{1,9}$/.test(key) ? [...node.items()][Number(key)] : undefined;
}
