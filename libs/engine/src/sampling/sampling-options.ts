import { EngineError } from '../protocol/engine.errors.js';
import type { OutputFormat, SamplingDefaults, SamplingOptions } from '../protocol/generate.js';
import { SAMPLING_SETTINGS } from '../protocol/sampling-options.schema.js';

/** Options with every default filled in. */
export interface ResolvedOptions {
  n: number;
  maxTokens: number;
  minTokens: number;
  temperature: number;
  topP: number;
  /** 0: off. */
  topK: number;
  minP: number;
  repetitionPenalty: number;
  presencePenalty: number;
  frequencyPenalty: number;
  stop: string[];
  includeStop: boolean;
  stopTokenIds: number[];
  /** Never with a format, whose end is the end token. */
  ignoreEos: boolean;
  seed: number | null;
  logitBias: { id: number; bias: number }[];
  /** As tokens, each list of which must not come whole. */
  badWords?: number[][];
  allowedTokenIds?: number[];
  /** Default true. */
  skipSpecialTokens?: boolean;
  topLogprobs: number;
  /** Alternatives for each token of the prompt; absent: nothing is reported of it. */
  promptLogprobs?: number;
  format: OutputFormat | null;
}

export interface SamplingLimits {
  contextLength: number;
  promptLength: number;
  vocabularySize: number;
  /** Of the base model, for what the options leave out. */
  defaults?: SamplingDefaults;
  /** A text's tokens; needed where there are bad words. */
  encode?: (text: string) => number[];
}

/**
 * Fills in defaults and refuses what can't be.
 * @throws EngineError `invalid_request` or `context_length_exceeded`; `param` is the field's name on the wire.
 */
export function checkSamplingOptions(options: SamplingOptions, limits: SamplingLimits): ResolvedOptions {
  const { format = null } = options;
  const { topK, ignoreEos, ...set } = SAMPLING_SETTINGS.resolve({
    ...limits.defaults,
    ...SAMPLING_SETTINGS.known(options),
  });
  const maxTokens = completionTokens(options.maxTokens, limits);
  if (set.minTokens > maxTokens) {
    const complaint = `must not exceed the ${maxTokens} tokens that may be sampled, got ${set.minTokens}`;
    throw SAMPLING_SETTINGS.refusal('min_tokens', complaint);
  }
  return {
    ...set,
    maxTokens,
    topK: Math.max(topK, 0),
    stop: [...set.stop],
    stopTokenIds: set.stopTokenIds.map((id) => tokenId('stop_token_ids', id, limits)),
    ignoreEos: ignoreEos && format === null,
    badWords: set.badWords && badWords(set.badWords, limits.encode),
    allowedTokenIds: set.allowedTokenIds?.map((id) => tokenId('allowed_token_ids', id, limits)),
    seed: set.seed ?? null,
    logitBias: Object.entries(set.logitBias ?? {}).map(([id, bias]) => ({
      id: tokenId('logit_bias', Number(id), limits),
      bias,
    })),
    format,
  };
}

/** In the way of vLLM: at the beginning of a text, and behind a space where that makes another first token of as many. */
function badWords(words: readonly string[], encode: SamplingLimits['encode']): number[][] {
  return words.flatMap((word) => {
    const bare = encode?.(word.trimStart()) ?? [];
    const spaced = encode?.(` ${word.trimStart()}`) ?? [];
    const differ = spaced.length === bare.length && spaced[0] !== bare[0];
    return (differ ? [bare, spaced] : [bare]).filter((tokens) => tokens.length > 0);
  });
}

/** How many tokens may be sampled: as many as were asked for, or as the context leaves. */
function completionTokens(asked: number | undefined, limits: SamplingLimits): number {
  const { contextLength, promptLength, defaults } = limits;
  if (promptLength < 1) throw new EngineError('invalid_request', 'The prompt is empty.', 'messages');
  const maximum = `This model's maximum context length is ${contextLength} tokens. However, `;
  const left = contextLength - promptLength;
  if (left < 1) {
    throw tooLong(
      `${maximum}your messages resulted in ${promptLength} tokens, which leaves none for the completion. ` +
        'Please reduce the length of the messages.',
    );
  }
  // What the context leaves is the most also for a base model's own default.
  if (asked === undefined) return Math.min(left, defaults?.maxTokens ?? left);
  if (asked <= left) return asked;
  throw tooLong(
    `${maximum}you requested ${promptLength + asked} tokens (${promptLength} in the messages, ${asked} in the ` +
      'completion). Please reduce the length of the messages or completion.',
  );
}

const tooLong = (message: string): EngineError => new EngineError('context_length_exceeded', message, 'messages');

function tokenId(param: string, id: number, { vocabularySize }: SamplingLimits): number {
  if (id < vocabularySize) return id;
  throw SAMPLING_SETTINGS.refusal(
    param,
    `holds ${id}, which is not a token id; they go from 0 to ${vocabularySize - 1}`,
  );
}
