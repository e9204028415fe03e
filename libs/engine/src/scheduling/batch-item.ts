import type { DecodeItem } from '../model/decode-pass.js';
import type { LiveSequence } from './live-sequence.js';

/** Sequences that are the same so far, and the tokens that are computed for all of them now. */
export interface BatchItem {
  sequences: LiveSequence[];
  position: number;
  count: number;
}

/** One for each token after which logits are wanted. */
export function decodeItems(item: BatchItem): DecodeItem[] {
  const { sequences, position, count } = item;
  if (!sequences[0]!.isScored) return [decodeItem(item)];
  return Array.from({ length: count }, (_, at) => decodeItem({ sequences, position: position + at, count: 1 }));
}

function decodeItem({ sequences, position, count }: BatchItem): DecodeItem {
  const { tokens, spec, shared } = sequences[0]!;
  return {
    caches: sequences.map(({ cache }) => cache!),
    adapter: spec.adapter?.view ?? null,
    position,
    tokens: tokens.slice(position, position + count),
    ...(shared && { reached: shared.reached }),
  };
}
