import { isUtf8 } from 'node:buffer';
import type { JsonIndex } from './json-index.js';
import { JsonNode } from './json-node.js';
import { JsonRewriter } from './json-rewriter.js';
import { JsonScanner, type ScanOptions } from './json-scanner.js';
import { inSlices, nextTurn, runAtOnce, runInTurns } from './sliced-work.js';
import { Utf8Repair } from './utf8-repair.js';

export interface IndexOptions extends ScanOptions {
  /** How many bytes are worked on before other requests get their turn. Default 256 KiB, about 1 ms. */
  sliceBytes?: number;
}

export const DEFAULT_SLICE = 256 * 1024;
/** Checked at a time, which takes about 1 ms, too. */
const UTF8_SLICE = 4 * 1024 * 1024;

/**
 * Checks a JSON body and indexes its upper levels without copying it: nodes are views of `body`, which must not change.
 * Two bodies are copied, repaired and reported in offsets of the copy: invalid UTF-8 (replaced by U+FFFD), and the bare
 * tokens NaN, Infinity and -Infinity (replaced by null). A byte order mark is skipped.
 * @throws JsonSyntaxError, JsonLimitError
 */
export async function indexJson(body: Buffer, options: IndexOptions = {}): Promise<JsonNode> {
  const sliceBytes = options.sliceBytes ?? DEFAULT_SLICE;
  if (body.length > sliceBytes) await nextTurn();
  return runInTurns(indexing(body, options, sliceBytes));
}

/** The same at once, for bodies of up to a few hundred kilobytes. */
export function indexJsonSync(body: Buffer, options: ScanOptions = {}): JsonNode {
  return runAtOnce(indexing(body, options, Infinity));
}

function* indexing(body: Buffer, options: ScanOptions, sliceBytes: number): Generator<void, JsonNode> {
  const text = (yield* isUtf8InTurns(body)) ? body : yield* inSlices(new Utf8Repair(body), sliceBytes);
  let index: JsonIndex = yield* inSlices(new JsonScanner(text, options), sliceBytes);
  if (index.hasNonFinite) {
    const finite = yield* inSlices(new JsonRewriter(text), sliceBytes);
    index = yield* inSlices(new JsonScanner(finite, options), sliceBytes);
  }
  return new JsonNode(index);
}

function* isUtf8InTurns(body: Buffer): Generator<void, boolean> {
  let start = 0;
  for (let end = 0; end < body.length; start = end) {
    if (start > 0) yield;
    end = Math.min(start + UTF8_SLICE, body.length);
    // No character is cut in two; after three bytes that begin none the text is wrong wherever it is cut.
    for (let back = 0; back < 3 && end < body.length && (body[end]! & 0xc0) === 0x80; back++) end--;
    if (!isUtf8(body.subarray(start, end))) return false;
  }
  return true;
}
