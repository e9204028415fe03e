import type { Branch, SequenceTree } from '../../training/sequence-tree.js';

/** A sequence as the protocol has it: position i of the input predicts target i. */
export interface Datum {
  input: Int32Array;
  targets: Int32Array;
  /** Of the targets that count: indices into `targets`, ascending. */
  counted: Int32Array;
}

/** What a loss says about the targets of a datum. All have one entry a position. */
export interface LossInputs {
  /** 1 where a target counts, else 0. */
  weights: Float32Array;
  /** Log probabilities against which the ratio is taken. */
  logprobs: Float32Array;
  advantages: Float32Array;
}

/** The whole sequences of a row, in its order. */
export function dataOf(row: readonly SequenceTree[]): Datum[] {
  return row.flatMap(({ prefix, branches }) => branches.map((branch) => datumOf(prefix, branch)));
}

function datumOf(prefix: Int32Array, { tokens, targets }: Branch): Datum {
  const sequence = new Int32Array(prefix.length + tokens.length);
  sequence.set(prefix);
  sequence.set(tokens, prefix.length);
  return {
    input: sequence.slice(0, -1),
    targets: sequence.slice(1),
    counted: targets.map((position) => prefix.length + position - 1),
  };
}

/** Of an array with an entry a position those of the targets that count, over all data. */
export function countedOf(data: readonly Datum[], values: readonly Float32Array[]): Float32Array {
  const picked = new Float32Array(data.reduce((sum, { counted }) => sum + counted.length, 0));
  let at = 0;
  data.forEach(({ counted }, index) => {
    for (const position of counted) picked[at++] = values[index]![position]!;
  });
  return picked;
}

/**
 * Inputs of `importance_sampling` whose gradient is exactly dL/dlogprob: with the log probabilities of this very moment
 * the ratio is 1, and its gradient the advantage. A server that normalises gets that taken back.
 * @param gradient dL/dlogprob of each target that counts, in the order of {@link countedOf}
 */
export function gradientInputs(
  data: readonly Datum[],
  logprobs: readonly Float32Array[],
  gradient: Float32Array,
  normalization: 'sequence' | 'sum',
): LossInputs[] {
  return weightedInputs(
    data,
    gradient.map((value) => -value),
    normalization,
  ).map((inputs, index) => ({
    ...inputs,
    logprobs: logprobs[index]!,
  }));
}

/**
 * Inputs of a loss of the server's own. A server that normalises gets that taken back.
 * @param old log probabilities of the targets that count when they were sampled, @param advantages theirs, each with the
 *   weight of its target in the loss; both in the order of {@link countedOf}
 */
export function lossInputs(
  data: readonly Datum[],
  { old, advantages }: { old: Float32Array; advantages: Float32Array },
  normalization: 'sequence' | 'sum',
): LossInputs[] {
  let at = 0;
  return weightedInputs(data, advantages, normalization).map((inputs, index) => {
    const { targets, counted } = data[index]!;
    const logprobs = new Float32Array(targets.length);
    for (const position of counted) logprobs[position] = old[at++]!;
    return { ...inputs, logprobs };
  });
}

/** Counted targets with their advantages, times what the server will divide by. */
function weightedInputs(
  data: readonly Datum[],
  counted: Float32Array,
  normalization: 'sequence' | 'sum',
): Omit<LossInputs, 'logprobs'>[] {
  let at = 0;
  return data.map(({ targets, counted: positions }) => {
    const weights = new Float32Array(targets.length);
    const advantages = new Float32Array(targets.length);
    const scale = normalization === 'sum' ? 1 : positions.length * data.length;
    for (const position of positions) {
      weights[position] = 1;
      advantages[position] = counted[at++]! * scale;
    }
    return { weights, advantages };
  });
}

/** Inputs with which only log probabilities are asked for. */
export function scoringInputs(data: readonly Datum[]): LossInputs[] {
  return data.map(({ targets }) => ({
    weights: new Float32Array(targets.length).fill(1),
    logprobs: new Float32Array(targets.length),
    advantages: new Float32Array(targets.length),
  }));
}
