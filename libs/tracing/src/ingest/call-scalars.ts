import type { JsonNode } from '@heddle/json';
import { type Micros, nowMicros, parseTimestamp } from '../values/timestamp.js';

/** A string field; any other value that stands in its place is taken by its JSON text. Null where it is unset. */
export function textOf(node: JsonNode | undefined): string | null {
  if (!node || node.kind === 'null') return null;
  return node.string() ?? node.text();
}

/** Like {@link textOf} for what can't be empty. */
export const idOf = (node: JsonNode | undefined): string | null => textOf(node) || null;

/** Longest text that is looked at for a time: enough for any number of digits that somebody means. */
const MAX_TIME_LENGTH = 100;

/** Whether a time was sent that {@link timeOf} can't read. */
export function isUnreadableTime(node: JsonNode | undefined): boolean {
  const text = textOf(node);
  return text !== null && (node!.end - node!.start > MAX_TIME_LENGTH || parseTimestamp(text) === undefined);
}

/** A time that is missing, unreadable or out of range is repaired: it is now, when the item arrived. */
export function timeOf(node: JsonNode | undefined): Micros {
  const text = node && node.end - node.start <= MAX_TIME_LENGTH ? textOf(node) : null;
  return (text === null ? undefined : parseTimestamp(text)) ?? nowMicros();
}

const BIGINT_LIMIT = 2n ** 63n;

/** Null for what is no whole number, or none that PostgreSQL's bigint holds. */
export function wholeNumberOf(node: JsonNode | undefined): bigint | null {
  if (node?.kind !== 'number' || node.end - node.start > MAX_TIME_LENGTH) return null;
  const text = node.text();
  const value = /^-?\d+$/.test(text) ? BigInt(text) : Number.isSafeInteger(Number(text)) ? BigInt(Number(text)) : null;
  return value !== null && value >= -BIGINT_LIMIT && value < BIGINT_LIMIT ? value : null;
}
