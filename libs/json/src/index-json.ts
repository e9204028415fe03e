import { isUtf8 } from 'node:buffer';
import type { JsonIndex } from './json-index.js';
import { JsonNode } from './json-node.js';
import { JsonRewriter } from './json-rewriter.js';
import { JsonScanner, type ScanOptions } from './json-scanner.js';
import { JsonSyntaxError } from './json.errors.js';
import { inSlices, nextTurn, runAtOnce, runInTurns } from './sliced-work.js';
import { Utf8Repair } from './utf8-repair.js';

export interface IndexOptions extends ScanOptions {
  /** How many bytes are worked on before other requests get their turn. Default 256 KiB, about 1 ms. */
  sliceBytes?: number;
  /** Refuses bytes that are no UTF-8, which are repaired otherwise. */
  refusesBadUtf8?: boolean;
}

export const DEFAULT_SLICE = 256 * 1024;
/** Checked at a time, which takes about 1 ms, too. */
const UTF8_SLICE = 4 * 1024 * 1024;

/**
 * Checks a JSON body and indexes its upper levels without copying it: nodes are views of `body`, which must not change.
 * Two bodies are copied, repaired and reported in offsets of the copy: invalid UTF-8 (replaced by U+FFFD), and the bare
 * tokens NaN, Infinity and -Infinity (replaced by null). With `nonFinite: 'number'` those stay where they are, numbers as far
 * as is indexed: `number()` reads them, and `value()` can't read what holds them. A byte order mark is skipped.
 * @throws JsonSyntaxError, JsonLimitError
 */
export async function indexJson(body: Buffer, options: IndexOptions = {}): Promise<JsonNode> {
  const sliceBytes = options.sliceBytes ?? DEFAULT_SLICE;
  if (body.length > sliceBytes) await nextTurn();
  return runInTurns(indexing(body, options, sliceBytes));
}

/** The same at once, for bodies of up to a few hundred kilobytes. */
export function indexJsonSync(body: Buffer, options: IndexOptions = {}): JsonNode {
  return runAtOnce(indexing(body, options, Infinity));
}

function* indexing(body: Buffer, options: IndexOptions, sliceBytes: number): Generator<void, JsonNode> {
  const badSlice = yield* findBadUtf8(body);
  if (badSlice && options.refusesBadUtf8)
    throw new JsonSyntaxError('This is no UTF-8', firstBadByte(body, ...badSlice));
  const text = badSlice ? yield* inSlices(new Utf8Repair(body), sliceBytes) : body;
  let index: JsonIndex = yield* inSlices(new JsonScanner(text, options), sliceBytes);
  if (index.hasNonFinite) {
    const finite = yield* inSlices(new JsonRewriter(text), sliceBytes);
    index = yield* inSlices(new JsonScanner(finite, options), sliceBytes);
  }
  return new JsonNode(index);
}

/** The slice that holds the first bad byte. */
function* findBadUtf8(body: Buffer): Generator<void, [number, number] | null> {
  let start = 0;
  for (let end = 0; end < body.length; start = end) {
    if (start > 0) yield;
    end = Math.min(start + UTF8_SLICE, body.length);
    // No character is cut in two; after three bytes that begin none the text is wrong wherever it is cut.
    end = atCharacter(body, end);
    if (!isUtf8(body.subarray(start, end))) return [start, end];
  }
  return null;
}

/** The character's start at or before an offset. */
function atCharacter(body: Buffer, offset: number): number {
  let at = offset;
  while (offset - at < 3 && at < body.length && (body[at]! & 0xc0) === 0x80) at--;
  return at;
}

function firstBadByte(body: Buffer, start: number, end: number): number {
  let [good, bad] = [start, end];
  while (bad - good > 4) {
    const middle = atCharacter(body, (good + bad) >> 1);
    if (middle === good || middle === bad) break;
    if (isUtf8(body.subarray(good, middle))) good = middle;
    else bad = middle;
  }
  return good;
}
