/** What one token of a model costs, and since when. Names as the wire has them. */
export interface Price {
  llm_id: string;
  provider_id: string;
  prompt_token_cost: number;
  completion_token_cost: number;
  cache_read_input_token_cost: number;
  cache_creation_input_token_cost: number;
  prompt_token_cost_unit: string;
  completion_token_cost_unit: string;
  /** `2026-01-31T12:00:00.000000Z`, so that text order is time order. */
  effective_date: string;
  created_at: string;
  created_by: string;
  pricing_level: 'project' | 'default';
  pricing_level_id: string;
}

/**
 * The price that counts for a call: one in effect when it started before one that came later, the project's own before
 * the default list's, then the newest.
 */
export function priceAt(prices: readonly Price[], startedAt: string): Price | undefined {
  return prices.toSorted((a, b) => {
    const inEffect = Number(b.effective_date <= startedAt) - Number(a.effective_date <= startedAt);
    const ownFirst = Number(b.pricing_level === 'project') - Number(a.pricing_level === 'project');
    return inEffect || ownFirst || newestFirst(a, b);
  })[0];
}

function newestFirst(a: Price, b: Price): number {
  if (a.effective_date !== b.effective_date) return a.effective_date < b.effective_date ? 1 : -1;
  return a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0;
}
