import type { SampledToken, TokenLogprob } from '@heddle/engine';
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
