import type { JsonNode } from '@heddle/json';
import { type ModelTokens, tokensOf, usageOf } from '../costs/model-usage.js';
import type { ModelCosts, ModelUsage, UsageByModel } from './usage-tree.js';

const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
] as const satisfies (keyof ModelCosts)[];

type CostsByModel = Partial<Record<string, ModelCosts>>;

/**
 * What a call says that it used, by model; models of which it used nothing are left out.
 * @param summary JSON text
 * @param costs JSON text as `callCosts` makes it; null where costs aren't asked for. What a model without a price costs is unknown: null, never 0.
 */
export function callUsage(summary: string | null, costs: Buffer | undefined | null): UsageByModel {
  const known = costs ? (JSON.parse(costs.toString()) as CostsByModel) : {};
  const usage: UsageByModel = new Map();
  for (const [model, node] of usageOf(summary)) {
    if (node.kind !== 'object') continue;
    const tokens = wholeTokens(node);
    if (Object.values(tokens).every((count) => count === 0)) continue;
    const priced = Object.hasOwn(known, model) ? known[model] : undefined;
    const values = COSTS.map((name) => [name, priced?.[name] ?? null]);
    usage.set(model, { ...tokens, ...(Object.fromEntries(values) as unknown as ModelCosts) } satisfies ModelUsage);
  }
  return usage;
}

/** Clients may send any number; what can't be a count of tokens counts for nothing, so that sums are exact. */
function wholeTokens(node: JsonNode): ModelTokens {
  const counts = Object.entries(tokensOf(node)).map(([name, value]: [string, number]) => {
    const whole = Math.trunc(value);
    return [name, whole > 0 && whole <= MAX_TOKENS ? whole : 0];
  });
  return Object.fromEntries(counts) as unknown as ModelTokens;
}

/** Of one call; the sum of 100,000 of them is still exact in a double. */
const MAX_TOKENS = 1e10;
