import { DEFAULT_SLICE } from './index-json.js';
import type { JsonNode } from './json-node.js';
import { JsonRewriter } from './json-rewriter.js';
import { inSlices, runAtOnce, runInTurns } from './sliced-work.js';

/** Far below where PostgreSQL's recursive JSON parser meets max_stack_depth (2 MB: some thousand levels). */
const MAX_NESTING = 500;

/** Whether PostgreSQL's json functions work on this value's own text: they fail on \u0000 and on lone surrogates. */
export const isPlain = (node: JsonNode): boolean =>
  !node.hasNul && !node.hasLoneSurrogate && node.nesting <= MAX_NESTING;

/**
 * The value's text as PostgreSQL's json functions can read it: its own if it is plain, else a copy with \ufffd for
 * \u0000 and lone surrogates, and null for what is nested deeper than 500 levels.
 */
export async function searchable(node: JsonNode, sliceBytes = DEFAULT_SLICE): Promise<Buffer> {
  return isPlain(node) ? node.raw() : runInTurns(inSlices(sanitiser(node), sliceBytes));
}

/** The same at once, for values of up to a few hundred kilobytes. */
export function searchableSync(node: JsonNode): Buffer {
  return isPlain(node) ? node.raw() : runAtOnce(inSlices(sanitiser(node), Infinity));
}

const sanitiser = (node: JsonNode): JsonRewriter =>
  new JsonRewriter(node.index.bytes, { escapes: true, maxNesting: MAX_NESTING }, node.start, node.end);
