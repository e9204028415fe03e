import type { SamplingDefaults } from '../protocol/generate.js';
import { SAMPLING_SETTINGS } from '../protocol/sampling-options.schema.js';
import type { JsonFields } from './json-fields.js';

/** The keys that vLLM takes from the file. */
const KEYS: Readonly<Record<keyof SamplingDefaults, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  repetitionPenalty: 'repetition_penalty',
  maxTokens: 'max_new_tokens',
};

/**
 * What generation_config.json says about requests that leave these options out, as vLLM reads it. `do_sample: false` alone
 * says nothing; greedy is a temperature of 0.
 * @throws EngineError that names the key, for what no request could ask for.
 */
export function parseSamplingDefaults(fields: JsonFields | null): SamplingDefaults {
  if (!fields) return {};
  const given = Object.fromEntries(Object.entries(KEYS).map(([option, key]) => [option, fields.get(key)]));
  const [problem] = SAMPLING_SETTINGS.problems(given);
  if (problem) throw fields.refusal(KEYS[problem.name as keyof SamplingDefaults], problem.demand);
  return SAMPLING_SETTINGS.known(given);
}
