import { indexJson, type IndexOptions, JsonError, JsonLimitError, type JsonNode, parseExact } from '@heddle/json';
import { ValidationError } from '../errors/api-error.js';

/** Objects and arrays within each other in a body. What people write nests less; JSON.stringify and others recurse. */
export const MAX_BODY_DEPTH = 100;
/** Keys with their values, and elements, in a body: what is made of them takes some 10 ms and 10 MB. */
export const MAX_BODY_VALUES = 100_000;
/** No route knows as many. */
const MAX_BODY_FIELDS = 1000;

const roots = new WeakMap<object, JsonNode>();

/**
 * A body's value. What it holds is looked at in slices, with other requests in between, and becomes objects only once it is
 * known to be small: 15 MB of `{}` would take seconds and gigabytes.
 * @throws ValidationError for what is no JSON (RFC 8259: UTF-8, no NaN) or beyond the limits
 */
export async function parseJsonBody(bytes: Buffer): Promise<unknown> {
  // No body at all reads as an empty object, so that the answer names each missing field.
  if (bytes.length === 0) return {};
  const root = await indexBody(bytes, {
    depth: MAX_BODY_DEPTH,
    maxNodes: MAX_BODY_VALUES,
    nonFinite: 'refused',
  });
  // JavaScript takes a hundred times as long for an object of many names.
  if (root.kind === 'object' && root.childCount > MAX_BODY_FIELDS)
    throw ValidationError.at(['body'], `More than ${MAX_BODY_FIELDS} fields`, 'json_too_large');
  const body = root.value();
  if (typeof body === 'object' && body !== null) roots.set(body, root);
  return body;
}

/** As {@link parseJsonBody}, for handlers that read a larger body piece by piece. */
export async function indexBody(bytes: Buffer, options: IndexOptions): Promise<JsonNode> {
  try {
    return await indexJson(bytes, { maxDepth: MAX_BODY_DEPTH, refusesBadUtf8: true, ...options });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error instanceof JsonLimitError) throw ValidationError.at(['body'], error.message, 'json_too_large');
    throw ValidationError.at(['body'], `Invalid JSON: ${error.message}`, 'json_invalid');
  }
}

/** How many values there are at a place of a body, if it was parsed here. */
export function valuesIn(body: unknown, ...path: string[]): number {
  return nodeAt(body, path)?.indexedValues ?? 0;
}

/** What stands at a place of a body that was parsed here, with integers to the last digit; undefined if nothing does. */
export function exactly(body: unknown, ...path: string[]): unknown {
  const node = nodeAt(body, path);
  return node && parseExact(node.text());
}

function nodeAt(body: unknown, path: string[]): JsonNode | undefined {
  let node = typeof body === 'object' && body !== null ? roots.get(body) : undefined;
  for (const name of path) node = node?.get(name);
  return node;
}
