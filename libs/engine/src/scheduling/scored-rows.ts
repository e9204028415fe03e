import type { Compute } from '../model/compute.js';
import type { Address } from '../tensor/kernels.js';
import type { LiveSequence } from './live-sequence.js';

/** Rows of logits, after each of some tokens of a prompt. */
export interface ScoredRows {
  /** Of the first of the tokens. */
  position: number;
  count: number;
  address: Address;
}

export function scoreRows(compute: Compute, sequence: LiveSequence, { position, count, address }: ScoredRows): void {
  const { vocabularySize } = compute.model.config;
  for (let row = 0; row < count; row++) {
    const at = address + row * vocabularySize * 4;
    sequence.score(position + row, compute.floats(at, vocabularySize), compute.kernels.logSumExp(at, vocabularySize));
  }
}
