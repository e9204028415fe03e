import type { SampledToken } from '../protocol/generate.js';
import type { ResolvedOptions } from '../sampling/sampling-options.js';

export interface RemoteSample {
  prompt: readonly number[];
  /** Directory of a PEFT adapter; null samples the base model. */
  adapter: string | null;
  options: ResolvedOptions;
  endTokenIds: readonly number[];
  /** As texts, of which `options` has the tokens. */
  badWords?: readonly string[];
  /** Grammar of what may be said, in the EBNF of XGrammar; null: anything. */
  rules: string | null;
}

/** Tokens of one of the completions, in their order. */
export interface SampledPiece {
  choice: number;
  tokens: readonly SampledToken[];
}

/** What samples on another machine. */
export interface RemoteSampler {
  /**
   * All tokens of all completions, end tokens too. Leaving the loop or aborting stops it.
   * @throws EngineError; before the first piece where nothing was sampled yet
   */
  sample(request: RemoteSample, signal?: AbortSignal): AsyncIterable<SampledPiece>;

  close(): Promise<void>;
}
