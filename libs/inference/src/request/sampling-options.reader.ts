import { type OutputFormat, SAMPLING_SETTINGS, type SamplingOptions } from '@heddle/engine';
import Type from 'typebox';
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
  const format = readFormat(fields);
  return { ...SAMPLING_SETTINGS.known(sent), ...(format && { format }) };
}

/** Under which name an option was sent: one of them has a newer name too, which wins. */
const nameIn = (fields: RequestFields, wireName: string): string =>
  wireName === 'max_tokens' && fields.has('max_completion_tokens') ? 'max_completion_tokens' : wireName;

function readFormat(fields: RequestFields): OutputFormat | undefined {
  const format = fields.object('response_format');
  if (!format) return undefined;
  const type = format.required('type', format.oneOf('type', ['text', 'json_object', 'json_schema']));
  if (type === 'text') return undefined;
  if (type === 'json_object') return { type };
  const described = format.required('json_schema', format.object('json_schema'));
  // As OpenAI has it, a schema may be left out: then any object will do.
  const schema = described.object('schema');
  return schema ? { type, schema: { ...schema.all } } : { type: 'json_object' };
}
