import type { Choice } from '@heddle/engine';
import { inOrder, type Placed, type ResponseExchange } from './exchange.js';
import { compactLogprobs, idList, idsOf, logprobsOf } from './recorded-history.js';
import type { RecordedSample } from './token-histories.js';

type Fields = Record<string, unknown>;

/** One of the samples of which a response is made: one for each time that the model was asked. */
interface Generation {
  prompt: number[];
  output: number[];
  logprobs: readonly unknown[] | null;
  /** Which of the response's items it says. */
  indices: number[];
}

const UNKNOWN = 'a response has no token ids in token_generations (ask /v1/responses for return_token_ids)';

/**
 * What one model answered as responses. Their tokens are exact where `token_generations` has them; where it hasn't, nothing is
 * trained on, by ART's own rule: texts of items are not tokenised again.
 */
export function responseSamples(exchanges: readonly Placed<ResponseExchange>[]): RecordedSample[] {
  return inOrder([...exchanges]).flatMap(({ exchange, place }): RecordedSample[] => {
    const found = generationsOf(exchange.response);
    if (typeof found === 'string') return [{ choice: found, place: `${place}.response` }];
    return found.map((generation, i) => ({
      choice: asChoice(generation),
      place: `${place}.response.token_generations[${i}]`,
    }));
  });
}

function generationsOf({ output, token_generations }: ResponseExchange['response']): Generation[] | string {
  if (token_generations === undefined || token_generations === null) return UNKNOWN;
  const list = Array.isArray(token_generations) ? (token_generations as unknown[]) : [];
  const found = list.flatMap((each) => generationOf(each) ?? []);
  if (list.length === 0 || found.length < list.length) return UNKNOWN;
  const items = Array.isArray(output) ? (output as unknown[]) : [];
  return complaint(found, items) ?? found;
}

function generationOf(value: unknown): Generation | null {
  if (typeof value !== 'object' || value === null) return null;
  const { prompt_token_ids, output_indices, output_tokens, token_ids } = value as Fields;
  const pairs = Array.isArray(output_tokens) ? (output_tokens as unknown[]).map((pair) => (pair ?? {}) as Fields) : [];
  const prompt = exactIds(prompt_token_ids);
  const named = pairs.length > 0 ? exactIds(pairs.map(({ token_id, token }) => token_id ?? token)) : null;
  const output = exactIds(token_ids) ?? named;
  const indices = idList(output_indices);
  if (!prompt?.length || !output || !indices) return null;
  const logprobs = compactLogprobs(value) ?? (named ? pairs.map(({ logprob }) => logprob) : null);
  return { prompt, output, logprobs, indices };
}

/** What is wrong with generations as a whole: all that was sampled must be told by exactly one of them, in order. */
function complaint(generations: readonly Generation[], items: readonly unknown[]): string | null {
  const indices = generations.flatMap((generation) => generation.indices);
  const isOrdered = indices.every((index, i) => Number.isInteger(index) && index > (indices[i - 1] ?? -1));
  if (!isOrdered || (indices.at(-1) ?? -1) >= items.length) {
    return 'the output_indices of token_generations are not those of the items, in order';
  }
  if (items.some((item, index) => isSampled(item) && !indices.includes(index))) {
    return 'token_generations leave out an item that was sampled';
  }
  const saysNothing = generations.slice(0, -1).some((generation) => generation.indices.length === 0);
  return saysNothing ? 'one of several token_generations has no item' : null;
}

/** What tools answered is among the items, too. */
const isSampled = (item: unknown): boolean => !String((item as Fields | null)?.['type'] ?? '').endsWith('_output');

/** Ids as numbers, or by their names. */
function exactIds(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null;
  const ids = (value as unknown[]).map((id) => (typeof id === 'string' ? idsOf([id])?.[0] : id));
  return idList(ids);
}

const asChoice = ({ prompt, output, logprobs }: Generation): Choice => ({
  index: 0,
  message: { role: 'assistant', content: '' },
  prompt_token_ids: prompt,
  token_ids: output,
  logprobs: logprobsOf(logprobs),
});
