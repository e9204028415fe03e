import type { JsonNode } from '@heddle/json';

/** A member by its name in protobuf's JSON form, or as senders write it that keep the names of the `.proto` files. */
export const member = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.get(name) ?? (/[A-Z]/.test(name) ? node?.get(snakeCase(name)) : undefined);

function snakeCase(name: string): string {
  const known = SNAKE_CASE.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  SNAKE_CASE.set(name, known);
  return known;
}

/** Of a dozen names, each asked for once a span. */
const SNAKE_CASE = new Map<string, string>();
