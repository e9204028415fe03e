import type { StepMetrics } from '../protocol/train.js';

/** What is known of a gradient step once its update is made, before anything is saved. */
export interface StepHealth {
  learningRate: number;
  /** Before the update, as are the next three. */
  loss: number;
  /** Norm of the gradient before it is clipped, so that clipping (RL 0.1, SFT 1.0) hides nothing; null: not known. */
  gradNorm: number | null;
  /** Greatest |log probability| of a target. */
  maxAbsLogprob: number;
  /** Mean old minus new log probability of the targets; reinforcement learning only. */
  klDivergence?: number;
  /**
   * Norm of all that the adapter adds to the base model's matrices, over the norm of those matrices, after the update:
   * sqrt(sum adapterNorm^2) / sqrt(sum |W|^2); null: not known.
   */
  adapterToBase: number | null;
}

/**
 * A healthy adapter adds less than the matrices it is added to (below 1 in all trials that learned something; 2 and more
 * in those that had collapsed). At 10 nothing of the base model is left. Rates of 1 and above pass it within two steps,
 * long before weights overflow.
 */
const MAX_ADAPTER_TO_BASE = 10;
/**
 * Far above what the worst old log probabilities can make of a PPO loss (e^20 a token), far below where the square
 * overflows 32 bits.
 */
const MAX_GRAD_NORM = 1e12;
/**
 * Nats that the policy may lose on its own samples since the first step, as a mean over all targets of a step. What a
 * sound policy finds least likely lies at -10 to -20, and half of the targets are answers to be made likelier.
 */
const MAX_KL_RISE = 20;

/**
 * Tells when training has diverged, while weights are still finite. It looks at nothing that hard data can cause: a high
 * loss, a gradient that is clipped at every step, a policy that moves far are all allowed.
 */
export class DivergenceGuard {
  private steps: number;
  private firstKl: number;

  /** @param done what earlier steps of the job measured */
  constructor(done: readonly StepMetrics[] = []) {
    this.steps = done.length;
    this.firstKl = done[0]?.['kl_div'] ?? 0;
  }

  /** @returns why training must end, for the user; null while all is well. */
  check(step: StepHealth): string | null {
    const first = this.steps === 0;
    this.steps += 1;
    const broken = notFinite(step);
    if (broken && first) return `Training can't start: ${broken} is not finite with the weights that it starts from.`;
    if (first) this.firstKl = step.klDivergence ?? 0;
    const symptom = broken ? `${broken} is not finite any more` : this.symptom(step);
    if (symptom === null) return null;
    const rate = `learning_rate ${step.learningRate} is too high`;
    return `${rate}: at gradient step ${this.steps} ${symptom}. The weights of this job were not kept.`;
  }

  private symptom(step: StepHealth): string | null {
    const adapterToBase = step.adapterToBase ?? 0;
    const gradNorm = step.gradNorm ?? 0;
    if (!Number.isFinite(adapterToBase)) return 'the weights of the adapter are not finite any more';
    if (adapterToBase > MAX_ADAPTER_TO_BASE) {
      return `the adapter outweighs the base model ${Math.round(adapterToBase)} times`;
    }
    if (gradNorm > MAX_GRAD_NORM) return `the norm of the gradient is ${gradNorm.toExponential(1)}`;
    const rise = (step.klDivergence ?? 0) - this.firstKl;
    if (rise > MAX_KL_RISE) return `the policy has moved ${rise.toFixed(0)} nats a token from where it was sampled`;
    return null;
  }
}

function notFinite(step: StepHealth): string | null {
  if (!Number.isFinite(step.loss)) return 'the loss';
  if (!Number.isFinite(step.maxAbsLogprob)) return 'a log probability';
  if (!Number.isFinite(step.gradNorm ?? 0)) return 'the gradient';
  if (!Number.isFinite(step.klDivergence ?? 0)) return 'the KL divergence';
  return null;
}
