import type { SampledToken } from '@heddle/engine';
import type { TokenTexts } from '../serving/token-texts.service.js';
import { finite } from '../answer/token-logprobs.js';

/** Log probabilities as completions have them, one item for each token. */
export interface LegacyLogprobs {
  /** Where each token begins, in characters of all tokens' texts. */
  text_offset: number[];
  token_logprobs: number[];
  tokens: string[];
  /** With the sampled token, whether or not it is among the likeliest. */
  top_logprobs: Record<string, number>[];
}

/**
 * @param offset where the first token begins
 * @param asIds whether tokens are called `token_id:N`
 */
export function legacyLogprobs(
  sampled: readonly SampledToken[],
  texts: TokenTexts,
  { offset, asIds }: { offset: number; asIds: boolean },
): LegacyLogprobs {
  const name = (id: number): string => (asIds ? `token_id:${id}` : texts.of(id).token);
  let at = offset;
  const offsets = sampled.map(({ id }) => {
    const begin = at;
    at += texts.of(id).token.length;
    return begin;
  });
  return {
    text_offset: offsets,
    token_logprobs: sampled.map(({ logprob }) => finite(logprob)),
    tokens: sampled.map(({ id }) => name(id)),
    top_logprobs: sampled.map((token) =>
      Object.fromEntries([...token.top, token].map(({ id, logprob }) => [name(id), finite(logprob)])),
    ),
  };
}

/** Characters that tokens take among the offsets. */
export const lengthOf = (sampled: readonly SampledToken[], texts: TokenTexts): number =>
  sampled.reduce((sum, { id }) => sum + texts.of(id).token.length, 0);
