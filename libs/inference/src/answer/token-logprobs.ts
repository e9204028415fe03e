import type { PromptToken, SampledToken, TokenLogprob } from '@heddle/engine';
import type { TokenTexts } from '../serving/token-texts.service.js';

export interface ChoiceLogprobs {
  content: TokenLogprob[];
  refusal: null;
}

/** JSON has no infinity: what is as good as impossible, in the way of vLLM. */
const IMPOSSIBLE = -9999;

export const finite = (logprob: number): number => Math.max(logprob, IMPOSSIBLE);

/** @param asIds whether tokens are called `token_id:N` */
export function choiceLogprobs(tokens: readonly SampledToken[], texts: TokenTexts, asIds: boolean): ChoiceLogprobs {
  const named = ({ id, logprob }: { id: number; logprob: number }) => {
    const { token, bytes } = texts.of(id);
    return { token: asIds ? `token_id:${id}` : token, logprob: finite(logprob), bytes };
  };
  const content = tokens.map((token) => ({ ...named(token), top_logprobs: token.top.map(named) }));
  return { content, refusal: null };
}

/** A prompt's log probabilities in vLLM's form: of each token those of it and of others, by their ids; null of the first. */
export type PromptLogprobs = (Record<string, { logprob: number; rank: number; decoded_token: string }> | null)[];

/** @param alternatives how many there are to be at most beside the token itself */
export function promptLogprobs(
  scores: readonly PromptToken[],
  texts: TokenTexts,
  alternatives: number,
): PromptLogprobs {
  const named = ({ id, logprob }: { id: number; logprob: number }, rank: number) =>
    [id, { logprob: finite(logprob), rank, decoded_token: texts.of(id).token }] as const;
  const told = ({ top, ...token }: PromptToken) =>
    Object.fromEntries([
      ...top.slice(0, alternatives).map((other, i) => named(other, i + 1)),
      named(token, token.rank),
    ]);
  return [null, ...scores.map(told)];
}
