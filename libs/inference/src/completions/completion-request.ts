import type { Prompt, SamplingOptions } from '@heddle/engine';
import { readBody } from '../request/request-body.js';
import { readStream } from '../request/chat-request.js';
import { RequestFields } from '../request/request-fields.js';
import { readFormat } from '../request/output-format.reader.js';
import { readSamplingOptions } from '../request/sampling-options.reader.js';

/** What the answer looks like. */
export interface CompletionOptions {
  stream: boolean;
  /** A stream ends with what it took. */
  includeUsage: boolean;
  /** The prompt's text comes first. */
  echo: boolean;
  logprobs: boolean;
  /** Of each token at most. */
  alternatives: number;
  /** As a chat's. */
  promptLogprobs: number | null;
  /** Otherwise the prompt alone is looked at: `max_tokens` is 0. */
  samples: boolean;
  tokenIds: boolean;
  tokensAsIds: boolean;
  /** Choices of each prompt. */
  n: number;
}

export interface CompletionRequest {
  model: string;
  prompts: Exclude<Prompt, { messages: unknown }>[];
  options: SamplingOptions;
  /** Which field says what the text looks like. */
  formatField: string;
  answer: CompletionOptions;
  sent: Readonly<Record<string, unknown>>;
  bytes: number;
}

/** OpenAI's and vLLM's: a completion goes on for so many tokens, unlike a chat, which ends by itself. */
const DEFAULT_MAX_TOKENS = 16;
/** Choices of all prompts. */
export const MAX_CHOICES = 128;
const MAX_LOGPROBS = 20;
/** What would change the answer, and can't be had here. */
const REFUSED = {
  suffix: 'is not supported: models here continue a text, they fill no gaps',
  prompt_embeds: 'is not supported: send text or token ids',
  use_beam_search: 'is not supported: samples are drawn',
} as const;

/** Reads the body of `/v1/completions`. Unknown fields are nobody's mistake. @throws ParameterError */
export function readCompletionRequest(body: Buffer): CompletionRequest {
  const fields = readBody(body);
  const model = fields.required('model', fields.string('model'));
  const prompts = readPrompts(fields);
  const echo = fields.boolean('echo') ?? false;
  // vLLM's way to ask for nothing but what the model thinks of a text.
  const samples = !(echo && fields.get('max_tokens') === 0);
  const asked = readOptions(samples ? fields : RequestFields.of({ ...fields.all, max_tokens: 1 }, ''));
  const logprobs = fields.has('logprobs');
  const { topLogprobs = 0, promptLogprobs } = asked;
  const scores = echo && logprobs ? Math.max(topLogprobs, promptLogprobs ?? 0) : promptLogprobs;
  const options = scores === undefined ? asked : { ...asked, promptLogprobs: scores };
  const n = options.n ?? 1;
  if (prompts.length * n > MAX_CHOICES) {
    throw fields.refusal(
      'prompt',
      `and n make ${prompts.length * n} choices, more than the ${MAX_CHOICES} of a request`,
    );
  }
  const answer = {
    stream: readStream(fields, promptLogprobs),
    includeUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
    echo,
    logprobs,
    alternatives: topLogprobs,
    promptLogprobs: promptLogprobs ?? null,
    samples,
    tokenIds: fields.boolean('return_token_ids') ?? false,
    tokensAsIds: fields.boolean('return_tokens_as_token_ids') ?? false,
    n,
  };
  const formatField = readFormat(fields)?.field ?? 'response_format';
  return { model, prompts, options, formatField, answer, sent: fields.all, bytes: body.length };
}

/** `logprobs` is how many alternatives there are to be, as `top_logprobs` is of a chat. */
function readOptions(fields: RequestFields): SamplingOptions {
  for (const [name, why] of Object.entries(REFUSED)) {
    const value = fields.get(name);
    if (value !== undefined && value !== '' && value !== false && value !== 0) throw fields.refusal(name, why);
  }
  const options = readSamplingOptions(fields);
  const bestOf = fields.get('best_of') ?? options.n ?? 1;
  if (bestOf !== (options.n ?? 1)) throw fields.refusal('best_of', 'is not supported unless it equals n');
  const logprobs = fields.get('logprobs') ?? 0;
  if (!Number.isInteger(logprobs) || (logprobs as number) < 0 || (logprobs as number) > MAX_LOGPROBS) {
    throw fields.refusal('logprobs', `must be a whole number from 0 to ${MAX_LOGPROBS}`);
  }
  return { ...options, maxTokens: options.maxTokens ?? DEFAULT_MAX_TOKENS, topLogprobs: logprobs as number };
}

/** A text, token ids, or a list of either. */
function readPrompts(fields: RequestFields): CompletionRequest['prompts'] {
  const addSpecialTokens = fields.boolean('add_special_tokens') ?? true;
  const prompt = fields.required('prompt', fields.get('prompt'));
  const list = Array.isArray(prompt) && !isTokenIds(prompt) ? (prompt as unknown[]) : [prompt];
  if (list.length === 0) throw fields.refusal('prompt', 'must not be empty');
  return list.map((one, i) => {
    if (typeof one === 'string' && one !== '') return { text: one, addSpecialTokens };
    if (isTokenIds(one)) return { tokenIds: one };
    const place = list.length > 1 ? `has an item ${i} that is none of these: it ` : '';
    throw fields.refusal('prompt', `${place}must be a text, token ids, or a list of texts or of lists of token ids`);
  });
}

const isTokenIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => Number.isSafeInteger(id) && (id as number) >= 0);
