import { decodeText, encodeText, indexJsonSync, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { type Price, priceAt } from './model-price.js';

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

function usageOf(summary: string | null): Map<string, JsonNode> {
  // Most calls are no model calls, and their summaries needn't be looked into.
  if (!summary?.includes('"usage"')) return new Map();
  const options = { depth: 1, maxDepth: Infinity, maxNodes: Infinity };
  return indexJsonSync(Buffer.from(summary), options).get('usage')?.entries() ?? new Map<string, JsonNode>();
}

function modelCosts(usage: JsonNode, price: Price): JsonMember[] {
  const count = (...names: string[]): number | undefined =>
    names.map((name) => usage.get(name)?.number()).find((value) => value !== undefined && Number.isFinite(value));
  const prompt = count('prompt_tokens', 'input_tokens') ?? 0;
  const completion = count('completion_tokens', 'output_tokens') ?? 0;
  const cacheRead = count('cache_read_input_tokens') ?? 0;
  const cacheCreation = count('cache_creation_input_tokens') ?? 0;
  return [
    ['prompt_tokens', prompt],
    ['completion_tokens', completion],
    ['cache_read_input_tokens', cacheRead],
    ['cache_creation_input_tokens', cacheCreation],
    ['requests', count('requests') ?? 0],
    ['total_tokens', count('total_tokens') ?? prompt + completion],
    ['prompt_tokens_total_cost', prompt * price.prompt_token_cost],
    ['completion_tokens_total_cost', completion * price.completion_token_cost],
    ['cache_read_input_tokens_total_cost', cacheRead * price.cache_read_input_token_cost],
    ['cache_creation_input_tokens_total_cost', cacheCreation * price.cache_creation_input_token_cost],
    ...Object.entries(price)
      .filter(([name]) => name !== 'llm_id')
      .map(([name, value]): JsonMember => [name, typeof value === 'string' ? decodeText(value) : value]),
  ];
}
