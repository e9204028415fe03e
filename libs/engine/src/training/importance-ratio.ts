import type { ImportanceSamplingLevel } from '../protocol/rl-config.schema.js';

/**
 * Log ratios count no further than this (as in OpenPipe ART), so that an absurd old log probability gives a huge ratio
 * without gradient instead of an infinite loss. Within e^-20 to e^20 nothing changes.
 */
const LOG_RATIO_BOUND = 20;

/**
 * Importance ratios of one sequence and how they depend on its log probabilities.
 * Formula: training API contract, section 4; d is new minus old log probability of each target.
 */
export class ImportanceRatios {
  readonly values: Float64Array;
  private readonly sequenceRatio: number;
  private readonly sequenceMoves: boolean;

  constructor(
    private readonly differences: Float64Array,
    private readonly level: ImportanceSamplingLevel,
  ) {
    const mean = differences.reduce((sum, d) => sum + d, 0) / differences.length;
    this.sequenceRatio = Math.exp(bound(mean));
    this.sequenceMoves = Math.abs(mean) <= LOG_RATIO_BOUND;
    this.values = differences.map((d) => this.ratio(Math.exp(bound(d))));
  }

  /** Adds sum_t upstream[t] * d ratio[t] / d logprob[j] to `gradient[j]`. */
  backward(upstream: Float64Array, gradient: Float64Array): void {
    const { ofToken, ofSequence } = SHARES[this.level];
    let shared = 0;
    upstream.forEach((slope, t) => {
      const d = this.differences[t]!;
      const geometric = this.level === 'geometric_average';
      const token = geometric ? this.values[t]! : Math.exp(bound(d));
      const sequence = geometric ? this.values[t]! : this.sequenceRatio;
      if (Math.abs(d) <= LOG_RATIO_BOUND) gradient[t]! += slope * ofToken * token;
      shared += slope * ofSequence * sequence;
    });
    if (!this.sequenceMoves || ofSequence === 0) return;
    // The mean over n targets moves by 1/n with each of them.
    for (let t = 0; t < gradient.length; t++) gradient[t]! += shared / gradient.length;
  }

  private ratio(tokenRatio: number): number {
    switch (this.level) {
      case 'token':
        return tokenRatio;
      case 'sequence':
        return this.sequenceRatio;
      case 'average':
        return (tokenRatio + this.sequenceRatio) / 2;
      case 'geometric_average':
        return Math.sqrt(tokenRatio * this.sequenceRatio);
    }
  }
}

/** How much of a ratio's slope goes through the token's own ratio and through the sequence's. */
const SHARES: Record<ImportanceSamplingLevel, { ofToken: number; ofSequence: number }> = {
  token: { ofToken: 1, ofSequence: 0 },
  sequence: { ofToken: 0, ofSequence: 1 },
  average: { ofToken: 0.5, ofSequence: 0.5 },
  geometric_average: { ofToken: 0.5, ofSequence: 0.5 },
};

function bound(logRatio: number): number {
  return Math.min(Math.max(logRatio, -LOG_RATIO_BOUND), LOG_RATIO_BOUND);
}
