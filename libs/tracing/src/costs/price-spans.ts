import { decodeText } from '@heddle/json';
import { type Price, priceAt } from './model-price.js';

/** What one token of a model costs for calls that start from `from` (ISO 8601; null: ever) on, and before `until`. */
export interface PriceSpan {
  model: string;
  from: string | null;
  until: string | null;
  prompt_token_cost: number;
  completion_token_cost: number;
  cache_read_input_token_cost: number;
  cache_creation_input_token_cost: number;
}

/** The same choice as {@link priceAt} makes for each call, but for all calls at once: the times between two changes. */
export function priceSpans(prices: readonly Price[]): PriceSpan[] {
  const changes = [...new Set(prices.map(({ effective_date }) => effective_date))].sort();
  return [null, ...changes].flatMap((from, i) => {
    const price = priceAt(prices, from ?? '');
    return price ? [{ ...costsOf(price), model: decodeText(price.llm_id), from, until: changes[i] ?? null }] : [];
  });
}

const costsOf = (price: Price): Omit<PriceSpan, 'model' | 'from' | 'until'> => ({
  prompt_token_cost: price.prompt_token_cost,
  completion_token_cost: price.completion_token_cost,
  cache_read_input_token_cost: price.cache_read_input_token_cost,
  cache_creation_input_token_cost: price.cache_creation_input_token_cost,
});
