import { SAMPLING_SETTINGS, type SamplingOptions } from '@heddle/engine';
import Type from 'typebox';
import { readFormat } from './output-format.reader.js';
import type { RequestFields } from './request-fields.js';

/** OpenAI's options, and those that vLLM's server adds. What is absent is left out, so that the engine's defaults hold. */
export function readSamplingOptions(fields: RequestFields): SamplingOptions {
  const sent = Object.fromEntries(
    SAMPLING_SETTINGS.all.map(({ name, wireName, schema }) => {
      const value = fields.get(nameIn(fields, wireName));
      // One item may stand for a list of one.
      return [name, Type.IsArray(schema) && value !== undefined && !Array.isArray(value) ? [value] : value];
    }),
  );
  const [problem] = SAMPLING_SETTINGS.problems(sent);
  if (problem) throw fields.refusal(nameIn(fields, problem.wireName), `must be ${problem.demand}`);
  const asked = readFormat(fields);
  return { ...SAMPLING_SETTINGS.known(sent), ...(asked && { format: asked.format }) };
}

/** Under which name an option was sent: one of them has a newer name too, which wins. */
const nameIn = (fields: RequestFields, wireName: string): string =>
  wireName === 'max_tokens' && fields.has('max_completion_tokens') ? 'max_completion_tokens' : wireName;
