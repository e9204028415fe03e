import type { OutputFormat, SamplingOptions } from '@heddle/engine';
import type { RequestFields } from './request-fields.js';

/** OpenAI's options, and those that vLLM's server adds. What is absent is left out, so that the engine's defaults hold. */
export function readSamplingOptions(fields: RequestFields): SamplingOptions {
  const options: Record<keyof SamplingOptions, unknown> = {
    n: fields.number('n'),
    maxTokens: fields.number('max_completion_tokens') ?? fields.number('max_tokens'),
    minTokens: fields.number('min_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    topK: fields.number('top_k'),
    minP: fields.number('min_p'),
    repetitionPenalty: fields.number('repetition_penalty'),
    presencePenalty: fields.number('presence_penalty'),
    frequencyPenalty: fields.number('frequency_penalty'),
    stop: fields.listOf('stop', 'string'),
    includeStop: fields.boolean('include_stop_str_in_output'),
    stopTokenIds: fields.listOf('stop_token_ids', 'number'),
    ignoreEos: fields.boolean('ignore_eos'),
    seed: fields.number('seed'),
    logitBias: readLogitBias(fields),
    topLogprobs: fields.number('top_logprobs'),
    format: readFormat(fields),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function readLogitBias(fields: RequestFields): Record<string, number> | undefined {
  const bias = fields.object('logit_bias')?.all;
  const wrong = Object.entries(bias ?? {}).find(([, value]) => typeof value !== 'number');
  if (wrong) throw fields.refusal('logit_bias', `must map token ids to numbers; '${wrong[0]}' has none`);
  return bias as Record<string, number> | undefined;
}

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
