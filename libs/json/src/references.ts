import type { JsonNode } from './json-node.js';
import { stringEnd } from './json-strings.js';

const MAX_LENGTH = 4096;
const MAX_LOOKED_AT = 50_000;

/**
 * The different string values (not keys) in this node that start with `weave:///`, `wandb-artifact:///` or
 * `weave-trace-internal:///`, in order of appearance. Bounded: at most `limit` of them, out of the first 50,000
 * occurrences, none over 4 KiB.
 */
export function findRefs(node: JsonNode, limit = 10_000): string[] {
  const { bytes, references } = node.index;
  const found = new Set<string>();
  const first = firstFrom(references, node.start);
  for (let i = first; i < Math.min(references.length, first + MAX_LOOKED_AT) && found.size < limit; i++) {
    const start = references[i]!;
    if (start >= node.end) break;
    const end = stringEnd(bytes, start, Math.min(node.end, start + MAX_LENGTH + 3));
    if (end - start <= MAX_LENGTH + 2) found.add(JSON.parse(bytes.toString('utf8', start, end)) as string);
  }
  return [...found];
}

function firstFrom(offsets: readonly number[], start: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
