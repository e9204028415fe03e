import type { SpanAttributes } from './span-attributes.js';
import { MODEL_KEYS } from './semantic-conventions.js';
import { APART_FROM_INPUT, USAGE_KEYS, USAGE_SCOPES } from './usage-conventions.js';

/** Where input or output go by both of their names, the first stays: readers would add the two up. */
const TWINS = [
  ['input_tokens', 'prompt_tokens'],
  ['output_tokens', 'completion_tokens'],
] as const;

/** `summary.usage` of a span, by model; null where it states none. */
export function usageOf(attributes: SpanAttributes): object | null {
  const counts: Partial<Record<keyof typeof USAGE_KEYS, number>> = {};
  for (const [name, keys] of Object.entries(USAGE_KEYS) as [keyof typeof USAGE_KEYS, readonly string[]][]) {
    const count = attributes.count(keys);
    if (count !== undefined) counts[name] = count;
  }
  if (Object.keys(counts).length === 0) return null;
  for (const [kept, other] of TWINS) if (counts[kept] !== undefined) delete counts[other];
  const apart = attributes.first(USAGE_KEYS.input_tokens)?.key;
  if (counts.input_tokens !== undefined && (APART_FROM_INPUT as readonly (string | undefined)[]).includes(apart)) {
    counts.input_tokens += (counts.cache_read_input_tokens ?? 0) + (counts.cache_creation_input_tokens ?? 0);
  }
  const { reasoning_tokens: reasoning, ...plain } = counts;
  const details = reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } };
  return { [attributes.text(MODEL_KEYS) ?? 'usage']: { requests: 1, ...plain, ...details } };
}

/** Whose usage a span states that states any, see `UsageScope`; null where its convention doesn't say. */
export function scopeOf(attributes: SpanAttributes): 'own' | 'all' | null {
  const matching = USAGE_SCOPES.find(([key, value]) => value.test(attributes.text([key]) ?? ''));
  return matching?.[2] ?? null;
}
