import type { RlBranch } from './rl-loss.js';
import type { SequenceTree } from './sequence-tree.js';

/**
 * KL penalty as a change of advantages: targets on which the policy has moved further from the reference than it has on
 * average over the row lose advantage, the others gain as much. With k = policy's minus reference's log probability,
 * A += coefficient * (mean(k) - k), and no gradient flows through it.
 *
 * Formula: KL-penalised advantages of OpenPipe ART's `kl_penalty_coef`; `source` says whose log probabilities are the
 * policy's, `sample` the old ones (the current ones where those are missing) or `current_learner` the current ones.
 * @param trees a whole row: the mean is over all of it.
 * @param current log probabilities of the row's targets under the weights before this step.
 * @param reference the same under another checkpoint of the model, or the base model without adapter.
 * @returns the row with `advantageOffsets`, and the mean (nats a token).
 */
export function withKlPenalty(
  trees: readonly SequenceTree<RlBranch>[],
  current: Float32Array,
  reference: Float32Array,
  penalty: { coefficient: number; source: 'current_learner' | 'sample' },
): { trees: SequenceTree<RlBranch>[]; meanKl: number } {
  let position = 0;
  const divergences = trees
    .flatMap((tree) => tree.branches)
    .map((branch) =>
      Float64Array.from(branch.targets, (_, t) => {
        const old = branch.oldLogprobs[t]!;
        const policy = penalty.source === 'sample' && Number.isFinite(old) ? old : current[position]!;
        return policy - reference[position++]!;
      }),
    );
  let sum = 0;
  for (const divergence of divergences) for (const k of divergence) sum += k;
  const meanKl = position > 0 ? sum / position : 0;
  let index = 0;
  const penalize = (branch: RlBranch): RlBranch => {
    const advantageOffsets = divergences[index++]!.map((k) => penalty.coefficient * (meanKl - k));
    return { ...branch, advantageOffsets };
  };
  return { trees: trees.map(({ prefix, branches }) => ({ prefix, branches: branches.map(penalize) })), meanKl };
}
