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
  private readonly sampled: number[] = [];

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
    this.sampled.push(id);
    if (this.penalised) this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  /** `logits` themselves where nothing changes them, else a copy that lasts until the next call on this thread. */
  adjust(logits: Float32Array, mask: Int32Array | null): Float32Array {
    const forbidden = this.forbidden();
    const bad = this.bad();
    const { logitBias, allowedTokenIds } = this.options;
    const free = forbidden.length === 0 && bad.length === 0 && !allowedTokenIds && mask === null;
    if (!this.penalised && logitBias.length === 0 && free) return logits;
    const adjusted = this.penalise(logits);
    if (allowedTokenIds) keepOnly(adjusted, allowedTokenIds);
    for (const id of bad) adjusted[id] = -Infinity;
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

  /** Last tokens of bad words of which all others have just been sampled. */
  private bad(): number[] {
    const { badWords } = this.options;
    if (!badWords) return [];
    return badWords
      .filter((word) => word.slice(0, -1).every((id, i) => this.sampled.at(i - word.length + 1) === id))
      .map((word) => word.at(-1)!);
  }

  private forbidden(): readonly number[] {
    const { ignoreEos, minTokens, stopTokenIds } = this.options;
    if (this.sampled.length < minTokens) return [...this.endTokenIds, ...stopTokenIds];
    return ignoreEos ? this.endTokenIds : [];
  }
}

function keepOnly(logits: Float32Array, ids: readonly number[]): void {
  const kept = ids.map((id) => logits[id]!);
  logits.fill(-Infinity);
  ids.forEach((id, i) => (logits[id] = kept[i]!));
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
