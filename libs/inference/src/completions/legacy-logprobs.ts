import type { PromptToken, SampledToken } from '@heddle/engine';
import type { TokenTexts } from '../serving/token-texts.service.js';
import { finite } from '../answer/token-logprobs.js';

/** Log probabilities as completions have them, one item for each token. */
export interface LegacyLogprobs {
  /** Where each token begins, in characters of all tokens' texts. */
  text_offset: number[];
  token_logprobs: (number | null)[];
  tokens: string[];
  /** With the sampled token, whether or not it is among the likeliest. */
  top_logprobs: (Record<string, number> | null)[];
}

/** A token of a prompt, too: nothing says how probable the first one is. */
export type ToldToken = Omit<SampledToken, 'logprob'> & { logprob: number | null };

/** @param alternatives how many of them to tell at most */
export function toldPrompt(
  ids: readonly number[],
  scores: readonly PromptToken[],
  alternatives: number,
): readonly ToldToken[] {
  return ids.map((id, i) => {
    const score = scores[i - 1];
    return { id, logprob: score?.logprob ?? null, top: score?.top.slice(0, alternatives) ?? [] };
  });
}

/**
 * @param offset where the first token begins
 * @param asIds whether tokens are called `token_id:N`
 */
export function legacyLogprobs(
  tokens: readonly ToldToken[],
  texts: TokenTexts,
  { offset, asIds }: { offset: number; asIds: boolean },
): LegacyLogprobs {
  const name = (id: number): string => (asIds ? `token_id:${id}` : texts.of(id).token);
  let at = offset;
  const offsets = tokens.map(({ id }) => {
    const begin = at;
    at += texts.of(id).token.length;
    return begin;
  });
  return {
    text_offset: offsets,
    token_logprobs: tokens.map(({ logprob }) => (logprob === null ? null : finite(logprob))),
    tokens: tokens.map(({ id }) => name(id)),
    top_logprobs: tokens.map(({ id, logprob, top }) =>
      logprob === null
        ? null
        : Object.fromEntries([...top, { id, logprob }].map((one) => [name(one.id), finite(one.logprob)])),
    ),
  };
}

/** Characters that tokens take among the offsets. */
export const lengthOf = (tokens: readonly ToldToken[], texts: TokenTexts): number =>
  tokens.reduce((sum, { id }) => sum + texts.of(id).token.length, 0);
