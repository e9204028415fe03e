import type { Price } from './model-price.js';

type Row = [llmId: string, input: number, output: number, cacheRead?: number, cacheWrite?: number];

/** Public list prices in US dollars for a million tokens, as of {@link LIST_DATE}. Without a rate of its own the cache costs what input does. */
const LIST: Readonly<Record<string, Row[]>> = {
  openai: [
    ['gpt-5', 1.25, 10, 0.125],
    ['gpt-5-mini', 0.25, 2, 0.025],
    ['gpt-5-nano', 0.05, 0.4, 0.005],
    ['gpt-4.1', 2, 8, 0.5],
    ['gpt-4.1-mini', 0.4, 1.6, 0.1],
    ['gpt-4.1-nano', 0.1, 0.4, 0.025],
    ['gpt-4o', 2.5, 10, 1.25],
    ['gpt-4o-2024-08-06', 2.5, 10, 1.25],
    ['gpt-4o-2024-11-20', 2.5, 10, 1.25],
    ['gpt-4o-mini', 0.15, 0.6, 0.075],
    ['gpt-4o-mini-2024-07-18', 0.15, 0.6, 0.075],
    ['o3', 2, 8, 0.5],
    ['o3-mini', 1.1, 4.4, 0.55],
    ['o4-mini', 1.1, 4.4, 0.275],
  ],
  anthropic: [
    ['claude-opus-4-20250514', 15, 75, 1.5, 18.75],
    ['claude-sonnet-4-20250514', 3, 15, 0.3, 3.75],
    ['claude-3-7-sonnet-20250219', 3, 15, 0.3, 3.75],
    ['claude-3-5-sonnet-20241022', 3, 15, 0.3, 3.75],
    ['claude-3-5-haiku-20241022', 0.8, 4, 0.08, 1],
  ],
  google: [
    ['gemini-2.5-pro', 1.25, 10, 0.125],
    ['gemini-2.5-flash', 0.3, 2.5, 0.03],
    ['gemini-2.0-flash', 0.1, 0.4, 0.025],
  ],
};

const LIST_DATE = '2025-09-01T00:00:00.000000Z';
const PER_TOKEN = 1e6;

/** Prices for projects that set none themselves, by model name. */
export const DEFAULT_PRICES: ReadonlyMap<string, Price> = new Map(
  Object.entries(LIST).flatMap(([provider, rows]) => rows.map((row) => [row[0], priceOf(provider, row)] as const)),
);

function priceOf(provider: string, [llmId, input, output, cacheRead = input, cacheWrite = input]: Row): Price {
  return {
    llm_id: llmId,
    provider_id: provider,
    prompt_token_cost: input / PER_TOKEN,
    completion_token_cost: output / PER_TOKEN,
    cache_read_input_token_cost: cacheRead / PER_TOKEN,
    cache_creation_input_token_cost: cacheWrite / PER_TOKEN,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: LIST_DATE,
    created_at: LIST_DATE,
    created_by: 'system',
    pricing_level: 'default',
    pricing_level_id: 'default',
  };
}
