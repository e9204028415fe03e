import type { TrainingSequence } from './sequence-tree.js';

/** Each target that the sequences share with all before it stays in the first of them. */
export function firstOccurrences(sequences: readonly TrainingSequence[]): TrainingSequence[] {
  return sequences.flatMap((sequence, i) => {
    const taken = new Set<number>();
    for (const earlier of sequences.slice(0, i)) {
      const common = commonPrefix(earlier.tokens, sequence.tokens);
      for (const target of earlier.targets) if (target < common) taken.add(target);
    }
    const kept = (_: number, t: number): boolean => !taken.has(sequence.targets[t]!);
    const targets = sequence.targets.filter(kept);
    return targets.length > 0 ? [{ ...sequence, targets, oldLogprobs: sequence.oldLogprobs.filter(kept) }] : [];
  });
}

function commonPrefix(a: Int32Array, b: Int32Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
