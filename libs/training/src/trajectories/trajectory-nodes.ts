import { indexJson, type JsonNode } from '@heddle/json';

/** Larger values that are not indexed yet are indexed in slices, as the body was. */
const MAX_AT_ONCE = 256 * 1024;

/** Null is absent. */
export const present = (node: JsonNode | undefined): JsonNode | undefined => (node?.kind === 'null' ? undefined : node);

/** A value whose levels may be looked at, without holding up other requests. */
export async function indexed(node: JsonNode, depth: number): Promise<JsonNode> {
  return node.byteLength > MAX_AT_ONCE ? indexJson(node.raw(), { depth }) : node;
}

/** A choice has both an index and a message. What else is in it, the engine judges choice by choice. */
export function isChoice(node: JsonNode): boolean {
  return node.get('message')?.kind === 'object' && node.get('index') !== undefined;
}

export function isMessage(node: JsonNode): boolean {
  const isLikeChoice = node.get('message') !== undefined && node.get('index') !== undefined;
  return !isLikeChoice && node.get('role')?.kind === 'string';
}
