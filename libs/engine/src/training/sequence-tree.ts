/**
 * One sequence of tokens after a prefix. `targets` are the positions in `tokens`, ascending, that are trained or scored: the token
 * at position p is predicted from everything before it, at position 0 from the prefix.
 */
export interface Branch {
  tokens: Int32Array;
  targets: Int32Array;
}

/**
 * Sequences that begin with the same tokens: the prefix is computed once for all of them. It holds no targets, and may
 * be empty, where position 0 of a branch is never a target.
 */
export interface SequenceTree<B extends Branch = Branch> {
  prefix: Int32Array;
  branches: B[];
}

/** What a forward pass says about the targets of some trees, in their order: trees, branches, targets. */
export interface TargetScores {
  /** Natural logarithms. */
  logprobs: Float32Array;
  /** Entropy in nats of the distribution that each target was drawn from. */
  entropies: Float32Array;
}

/** A whole sequence, prompt included. */
export interface TrainingSequence extends Branch {
  /** One for each target; NaN: not known. */
  oldLogprobs: Float32Array;
}
