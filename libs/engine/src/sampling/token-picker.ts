import { EngineError } from '../protocol/engine.errors.js';
import type { SampledToken } from '../protocol/generate.js';
import { argmax, draw, drawNormalised } from './draw.js';
import { LogitAdjuster } from './logit-adjuster.js';
import type { RandomStream } from './random-stream.js';
import type { ResolvedOptions } from './sampling-options.js';
import { checkFinite, logprobOf, mostProbable } from './token-scores.js';

/**
 * Samples the tokens of one completion from their logits. Every token takes one random number, greedy ones none, so a
 * completion depends on its logits, options and stream alone.
 */
export class TokenPicker {
  private readonly adjuster: LogitAdjuster;
  /** Nothing cuts the distribution, and its normaliser is known. */
  private readonly plain: boolean;

  constructor(
    private readonly options: ResolvedOptions,
    endTokenIds: readonly number[],
    promptTokenIds: Iterable<number>,
    private readonly random: RandomStream,
  ) {
    this.adjuster = new LogitAdjuster(options, endTokenIds, promptTokenIds);
    const { temperature, topK, topP, minP } = options;
    this.plain = temperature === 1 && topK === 0 && topP === 1 && minP === 0;
  }

  /**
   * @param logits of the whole vocabulary; read only, and may be a view that changes after this call.
   * @param lse their log-sum-exp.
   * @param mask one bit for each token, lowest bit first, set where the token may come; null: all may.
   * @throws EngineError `diverged` where the logits are no distribution or nothing is left to sample, `invalid_request` where
   *   it is the mask that leaves nothing.
   */
  pick(logits: Float32Array, lse: number, mask: Int32Array | null): SampledToken {
    checkFinite(lse);
    const adjusted = this.adjuster.adjust(logits, mask);
    const id = this.choose(adjusted, adjusted === logits ? lse : null);
    if (id < 0) throw nothingLeft(mask !== null);
    this.adjuster.add(id);
    return { id, logprob: logprobOf(logits, lse, id), top: mostProbable(logits, lse, this.options.topLogprobs) };
  }

  private choose(logits: Float32Array, lse: number | null): number {
    if (this.options.temperature === 0) return argmax(logits);
    const u = this.random.next();
    if (this.plain && lse !== null) return drawNormalised(logits, lse, u);
    return draw(logits, this.options, u);
  }
}

/** A format may lead to where no text follows; without one the model itself forbids every token. */
const nothingLeft = (formatted: boolean): EngineError =>
  formatted
    ? new EngineError('invalid_request', 'The format leaves no token to sample: no text fulfils it.', 'response_format')
    : new EngineError('diverged', 'No token is left to sample.');
