import { findRefs, indexJson, isPlain, JsonNode, searchable } from '@heddle/json';
import { indexedText } from '../values/indexed-text.js';
import type { JsonText } from './new-call.js';

/** Of more references only the first are searchable: each is an entry of an index. */
const MAX_REFS = 1000;

/** What searches read beside a payload, or in its place. */
export interface PayloadCells {
  /** References as the text of a PostgreSQL array; null where there is none. */
  refs: string | null;
  /** In place of a payload that PostgreSQL can't look into. */
  search: Buffer | null;
}

/** The references of a payload; of text that was made here, only {@link payloadCells} can tell. */
export function refsOf(payload: JsonText | null | undefined): string | null {
  const found = payload instanceof JsonNode ? findRefs(payload, MAX_REFS) : [];
  if (found.length === 0) return null;
  return `{${found.map((ref) => `"${indexedText(ref).replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

/** Whether {@link payloadCells} would find more than {@link refsOf}. Rare. */
export const isOdd = (payload: JsonText | null | undefined): payload is JsonText =>
  payload instanceof JsonNode ? !isPlain(payload) : typeof payload === 'string' && needsIndex(payload);

/** Slow where the payload is large, so that it lets others go on meanwhile. */
export async function payloadCells(payload: JsonText): Promise<PayloadCells> {
  const options = { depth: 0, maxDepth: Infinity, maxNodes: Infinity };
  const node = payload instanceof JsonNode ? payload : await indexJson(Buffer.from(payload), options);
  return { refs: refsOf(node), search: isPlain(node) ? null : await searchable(node) };
}

/** What only an index can tell: a reference, U+0000 or half a surrogate pair, or brackets enough to nest deeply. */
const needsIndex = (text: string): boolean => REFERENCE.test(text) || ODD_UNIT.test(text) || hasManyBrackets(text);

const REFERENCE = /(?:weave|wandb-artifact|weave-trace-internal):(?:\\?\/){3}/;
const ODD_UNIT = /\\u(?:0000|[dD][89a-fA-F])/;
const MANY_BRACKETS = 400;

function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && text.length > MANY_BRACKETS; at++) {
    if ((text.charCodeAt(at) & 0xdf) === 0x5b && ++count > MANY_BRACKETS) return true;
  }
  return false;
}
