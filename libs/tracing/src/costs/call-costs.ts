import { decodeText, encodeText, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { type Price, priceAt } from './model-price.js';
import { tokensOf, uncachedOf, usageOf } from './model-usage.js';

/** What costs are worked out from. */
export interface CostedCall {
  /** ISO 8601 in UTC with microseconds. */
  started_at: string;
  /** JSON text. */
  summary: string | null;
}

/** By the name under which calls report it, in its stored form. */
export type PriceList = (llmId: string) => readonly Price[];

/**
 * JSON text of `summary.weave.costs`: for each model in `summary.usage`, its tokens and what they cost. A model without a
 * price is left out; undefined where that leaves nothing.
 */
export function callCosts({ started_at, summary }: CostedCall, prices: PriceList): Buffer | undefined {
  const costs: JsonMember[] = [];
  for (const [model, usage] of usageOf(summary)) {
    const price = priceAt(prices(encodeText(model)), started_at);
    if (price && usage.kind === 'object') costs.push([model, raw(jsonObject(modelCosts(usage, price)))]);
  }
  return costs.length > 0 ? jsonObject(costs) : undefined;
}

function modelCosts(usage: JsonNode, price: Price): JsonMember[] {
  const tokens = tokensOf(usage);
  return [
    ...Object.entries(tokens),
    ['prompt_tokens_total_cost', uncachedOf(tokens) * price.prompt_token_cost],
    ['completion_tokens_total_cost', tokens.completion_tokens * price.completion_token_cost],
    ['cache_read_input_tokens_total_cost', tokens.cache_read_input_tokens * price.cache_read_input_token_cost],
    [
      'cache_creation_input_tokens_total_cost',
      tokens.cache_creation_input_tokens * price.cache_creation_input_token_cost,
    ],
    ...Object.entries(price)
      .filter(([name]) => name !== 'llm_id')
      .map(([name, value]): JsonMember => [name, typeof value === 'string' ? decodeText(value) : value]),
  ];
}
