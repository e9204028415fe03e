import type { Choice, History } from '@heddle/engine';

/** A history with the name of each of its items' places, for errors. */
export interface RecordedHistory extends History {
  places: string[];
}

/** Token ids as the response has them; null where it has none. */
export interface SampledTokens {
  prompt: readonly number[] | null;
  output: readonly number[] | null;
}

const TOKEN_ID = /^token_id:(\d{1,9})$/;

/** The ids that names of tokens hold; null unless all of them do. */
export function idsOf(names: readonly string[]): number[] | null {
  const ids = names.map((name) => TOKEN_ID.exec(name)?.[1]);
  return names.length === 0 || ids.includes(undefined) ? null : ids.map(Number);
}

/** A list of numbers; null for anything else. */
export const idList = (value: unknown): number[] | null =>
  Array.isArray(value) && value.every((id) => typeof id === 'number') ? value : null;

export function sampledTokens({ prompt_token_ids, token_ids, logprobs }: Choice): SampledTokens {
  const prompt = idList(prompt_token_ids);
  const named = [...(logprobs?.content ?? []), ...(logprobs?.refusal ?? [])].map(({ token }) => token);
  return { prompt: prompt?.length ? prompt : null, output: idList(token_ids) ?? idsOf(named) };
}

/** Whether tokens begin with all that one choice has seen and said. What isn't known contradicts nothing. */
export function continuesTokens({ prompt, output }: SampledTokens, tokens: readonly number[] | null): boolean {
  if (!prompt || !output || !tokens) return true;
  if (prompt.length + output.length > tokens.length) return false;
  return prompt.every((id, i) => id === tokens[i]) && output.every((id, i) => id === tokens[prompt.length + i]);
}

/** Of tokens, as a choice has them; null where none of them is known. */
export function logprobsOf(values: readonly unknown[] | null | undefined): Choice['logprobs'] {
  if (!values?.some((value) => typeof value === 'number')) return null;
  return { content: values.map((value) => ({ token: '', logprob: typeof value === 'number' ? value : null })) };
}

/** Servers that save on bytes send a choice's log probabilities as a plain list beside its token ids. */
export function compactLogprobs(choice: object): readonly unknown[] | null {
  const { compact_logprobs, art_completion_logprobs } = choice as Record<string, unknown>;
  const values = compact_logprobs ?? art_completion_logprobs;
  return Array.isArray(values) ? values : null;
}
