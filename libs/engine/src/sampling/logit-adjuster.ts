import type { ResolvedOptions } from './sampling-options.js';

let scratch = new Float32Array(0);

/**
 * Changes logits by what has been sampled so far and by what the request asks for, in vLLM's and transformers' order:
 * repetition penalty over prompt and output, presence and frequency penalty over the output, bias, what may not come
 * yet, mask. Formulas: OpenAI's `logit - frequency * count - presence * (count > 0)`; repetition as in CTRL (Keskar et
 * al., 2019), by division of positive logits and multiplication of others.
 */
export class LogitAdjuster {
  private readonly penalised: boolean;
  private readonly inPrompt: Set<number>;
  private readonly counts = new Map<number, number>();
  private sampled = 0;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly endTokenIds: readonly number[],
    promptTokenIds: Iterable<number>,
  ) {
    const { repetitionPenalty, presencePenalty, frequencyPenalty } = options;
    this.penalised = repetitionPenalty !== 1 || presencePenalty !== 0 || frequencyPenalty !== 0;
    this.inPrompt = new Set(repetitionPenalty === 1 ? [] : promptTokenIds);
  }

  /** Counts a token that was sampled. */
  add(id: number): void {
    this.sampled++;
    if (this.penalised) this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  /** `logits` themselves where nothing changes them, else a copy that lasts until the next call on this thread. */
  adjust(logits: Float32Array, mask: Int32Array | null): Float32Array {
    const forbidden = this.forbidden();
    if (!this.penalised && this.options.logitBias.length === 0 && forbidden.length === 0 && mask === null)
      return logits;
    const adjusted = this.penalise(logits);
    for (const id of forbidden) adjusted[id] = -Infinity;
    if (mask) {
      applyMask(adjusted, mask);
      // A text that is complete can only end, whatever min_tokens says.
      if (forbidden.length > 0 && adjusted.every((logit) => logit === -Infinity)) {
        for (const id of forbidden) if (isAllowed(mask, id)) adjusted[id] = logits[id]!;
      }
    }
    return adjusted;
  }

  private penalise(logits: Float32Array): Float32Array {
    if (scratch.length < logits.length) scratch = new Float32Array(logits.length);
    const adjusted = scratch.subarray(0, logits.length);
    adjusted.set(logits);
    const { repetitionPenalty, presencePenalty, frequencyPenalty, logitBias } = this.options;
    const repeat = (id: number): void => {
      const logit = adjusted[id]!;
      adjusted[id] = logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty;
    };
    for (const id of this.inPrompt) repeat(id);
    for (const [id, count] of this.counts) {
      if (!this.inPrompt.has(id)) repeat(id);
      adjusted[id]! -= frequencyPenalty * count + presencePenalty;
    }
    for (const { id, bias } of logitBias) adjusted[id]! += bias;
    return adjusted;
  }

  private forbidden(): readonly number[] {
    const { ignoreEos, minTokens, stopTokenIds } = this.options;
    if (this.sampled < minTokens) return [...this.endTokenIds, ...stopTokenIds];
    return ignoreEos ? this.endTokenIds : [];
  }
}

function isAllowed(mask: Int32Array, id: number): boolean {
  return ((mask[id >> 5]! >>> (id & 31)) & 1) === 1;
}

function applyMask(logits: Float32Array, mask: Int32Array): void {
  for (let id = 0; id < logits.length; id += 32) {
    const word = mask[id >> 5]!;
    if (word === -1) continue;
    const end = Math.min(32, logits.length - id);
    for (let bit = 0; bit < end; bit++) {
      if (((word >>> bit) & 1) === 0) logits[id + bit] = -Infinity;
    }
  }
}
