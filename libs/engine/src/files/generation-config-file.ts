import type { SamplingDefaults } from '../protocol/generate.js';
import type { JsonFields } from './json-fields.js';

/**
 * What generation_config.json says about requests that leave these options out: the keys that vLLM takes from it, in the
 * same way. `do_sample: false` alone is none of them; greedy is a temperature of 0.
 * @throws EngineError that names the key, for what no request could ask for.
 */
export function parseSamplingDefaults(fields: JsonFields | null): SamplingDefaults {
  if (!fields) return {};
  const defaults: SamplingDefaults = {
    temperature: value(fields, 'temperature', 'at least 0', (temperature) => temperature >= 0),
    topP: value(fields, 'top_p', 'above 0 and at most 1', (share) => share > 0 && share <= 1),
    topK: value(fields, 'top_k', 'a whole number, 0 for none', (count) => Number.isInteger(count) && count >= -1),
    minP: value(fields, 'min_p', 'from 0 to 1', (share) => share >= 0 && share <= 1),
    repetitionPenalty: value(fields, 'repetition_penalty', 'above 0', (penalty) => penalty > 0),
    maxTokens: value(fields, 'max_new_tokens', 'a positive integer', (n) => Number.isInteger(n) && n > 0),
  };
  return Object.fromEntries(Object.entries(defaults).filter(([, set]) => set !== undefined));
}

function value(fields: JsonFields, key: string, expected: string, valid: (value: number) => boolean) {
  if (fields.get(key) === undefined) return undefined;
  const found = fields.number(key);
  if (!valid(found)) throw fields.refusal(key, expected);
  return found;
}
