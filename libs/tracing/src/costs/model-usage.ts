import { indexJsonSync, type JsonNode } from '@heddle/json';

/** What one call used of one model. Providers' names for the same are one here. */
export interface ModelTokens {
  prompt_tokens: number;
  completion_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  requests: number;
  total_tokens: number;
}

/** `summary.usage`, by model. @param summary JSON text */
export function usageOf(summary: string | null): Map<string, JsonNode> {
  // Most calls are no model calls, and their summaries needn't be looked into.
  if (!summary?.includes('"usage"')) return new Map();
  const options = { depth: 1, maxDepth: Infinity, maxNodes: Infinity };
  return indexJsonSync(Buffer.from(summary), options).get('usage')?.entries() ?? new Map<string, JsonNode>();
}

export function tokensOf(usage: JsonNode): ModelTokens {
  const count = (...names: string[]): number | undefined =>
    names.map((name) => usage.get(name)?.number()).find((value) => value !== undefined && Number.isFinite(value));
  const prompt = count('prompt_tokens', 'input_tokens') ?? 0;
  const completion = count('completion_tokens', 'output_tokens') ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    cache_read_input_tokens: count('cache_read_input_tokens') ?? cachedOf(usage),
    cache_creation_input_tokens: count('cache_creation_input_tokens') ?? 0,
    requests: count('requests') ?? 0,
    total_tokens: count('total_tokens') ?? prompt + completion,
  };
}

/** OpenAI's place for what was read from the cache, in its older and its newer API. */
function cachedOf(usage: JsonNode): number {
  const details = usage.get('prompt_tokens_details') ?? usage.get('input_tokens_details');
  const cached = details?.get('cached_tokens')?.number();
  return cached !== undefined && Number.isFinite(cached) ? cached : 0;
}

/**
 * Input tokens at the full rate. Inputs have the cached ones in, as OpenAI and OpenTelemetry count and as the official
 * server does; Anthropic's own count has not, which shows at the latest where more is cached than input.
 */
export function uncachedOf(tokens: ModelTokens): number {
  const cached = tokens.cache_read_input_tokens + tokens.cache_creation_input_tokens;
  return cached <= tokens.prompt_tokens ? tokens.prompt_tokens - cached : tokens.prompt_tokens;
}
