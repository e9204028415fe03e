import { EngineError } from '../protocol/engine.errors.js';
import type { OutputFormat, SamplingDefaults, SamplingOptions } from '../protocol/generate.js';

/** Options with every default filled in. */
export interface ResolvedOptions {
  n: number;
  maxTokens: number;
  minTokens: number;
  temperature: number;
  topP: number;
  /** 0: off. */
  topK: number;
  minP: number;
  repetitionPenalty: number;
  presencePenalty: number;
  frequencyPenalty: number;
  stop: string[];
  includeStop: boolean;
  stopTokenIds: number[];
  /** Never with a format, whose end is the end token. */
  ignoreEos: boolean;
  seed: number | null;
  logitBias: { id: number; bias: number }[];
  topLogprobs: number;
  format: OutputFormat | null;
}

export interface SamplingLimits {
  contextLength: number;
  promptLength: number;
  vocabularySize: number;
  /** Of the base model, for what the options leave out. */
  defaults?: SamplingDefaults;
}

const MAX_CHOICES = 128;
const MAX_STOPS = 16;
const MAX_STOP_LENGTH = 1000;

/**
 * Fills in defaults and refuses what can't be. Limits are OpenAI's, except that `temperature` has no upper one, as in
 * vLLM: reinforcement learning explores above 2.
 * @throws EngineError `invalid_request` or `context_length_exceeded`; `param` is the field's name on the wire.
 */
export function checkSamplingOptions(options: SamplingOptions, limits: SamplingLimits): ResolvedOptions {
  const left = roomAfterPrompt(limits);
  const { defaults = {} } = limits;
  // What the context leaves is the most also for a base model's own default.
  const usual = Math.min(left, defaults.maxTokens ?? left);
  const asked = integer('max_tokens', options.maxTokens ?? usual, 1, Infinity);
  if (asked > left) {
    throw new EngineError(
      'context_length_exceeded',
      `This model's maximum context length is ${limits.contextLength} tokens. However, you requested ` +
        `${limits.promptLength + asked} tokens (${limits.promptLength} in the messages, ${asked} in the completion). ` +
        'Please reduce the length of the messages or completion.',
      'messages',
    );
  }
  const topK = integer('top_k', options.topK ?? defaults.topK ?? 0, -1, Infinity);
  const format = options.format ?? null;
  return {
    n: integer('n', options.n ?? 1, 1, MAX_CHOICES),
    maxTokens: asked,
    minTokens: minTokens(options.minTokens ?? 0, asked),
    temperature: number('temperature', options.temperature ?? defaults.temperature ?? 1, 0, Infinity),
    topP: positive('top_p', options.topP ?? defaults.topP ?? 1, 1),
    topK: Math.max(topK, 0),
    minP: number('min_p', options.minP ?? defaults.minP ?? 0, 0, 1),
    repetitionPenalty: positive(
      'repetition_penalty',
      options.repetitionPenalty ?? defaults.repetitionPenalty ?? 1,
      Infinity,
    ),
    presencePenalty: number('presence_penalty', options.presencePenalty ?? 0, -2, 2),
    frequencyPenalty: number('frequency_penalty', options.frequencyPenalty ?? 0, -2, 2),
    stop: stops(options.stop ?? []),
    includeStop: options.includeStop ?? false,
    stopTokenIds: (options.stopTokenIds ?? []).map((id) => tokenId('stop_token_ids', id, limits)),
    ignoreEos: (options.ignoreEos ?? false) && format === null,
    seed: options.seed === undefined ? null : integer('seed', options.seed, -Infinity, Infinity),
    logitBias: logitBias(options.logitBias ?? {}, limits),
    topLogprobs: integer('top_logprobs', options.topLogprobs ?? 0, 0, 20),
    format,
  };
}

function roomAfterPrompt({ contextLength, promptLength }: SamplingLimits): number {
  if (promptLength < 1) throw new EngineError('invalid_request', 'The prompt is empty.', 'messages');
  if (promptLength < contextLength) return contextLength - promptLength;
  throw new EngineError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ` +
      `${promptLength} tokens, which leaves none for the completion. Please reduce the length of the messages.`,
    'messages',
  );
}

function minTokens(value: number, maxTokens: number): number {
  const min = integer('min_tokens', value, 0, Infinity);
  if (min > maxTokens) {
    throw refusal('min_tokens', `min_tokens must not exceed the ${maxTokens} tokens that may be sampled, got ${min}.`);
  }
  return min;
}

function stops(stop: string[]): string[] {
  if (stop.length > MAX_STOPS) {
    throw refusal('stop', `stop must hold at most ${MAX_STOPS} strings, got ${stop.length}.`);
  }
  for (const text of stop) {
    if (typeof text !== 'string' || text === '') throw refusal('stop', 'stop must hold strings that are not empty.');
    if (text.length > MAX_STOP_LENGTH) {
      throw refusal('stop', `A stop string must have at most ${MAX_STOP_LENGTH} characters, got ${text.length}.`);
    }
  }
  return [...stop];
}

function logitBias(bias: Record<string, number>, limits: SamplingLimits): { id: number; bias: number }[] {
  return Object.entries(bias).map(([key, value]) => ({
    id: tokenId('logit_bias', /^\d+$/.test(key) ? Number(key) : key, limits),
    bias: number('logit_bias', value, -100, 100),
  }));
}

function tokenId(param: string, id: unknown, { vocabularySize }: SamplingLimits): number {
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < vocabularySize) return id;
  throw refusal(param, `${param}: ${JSON.stringify(id)} is not a token id; they go from 0 to ${vocabularySize - 1}.`);
}

function number(param: string, value: number, min: number, max: number): number {
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw refusal(param, `${param} must be a number ${range(min, max)}, got ${String(value)}.`);
}

function integer(param: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw refusal(
    param,
    `${param} must be an integer${min === -Infinity ? '' : ` ${range(min, max)}`}, got ${String(value)}.`,
  );
}

function positive(param: string, value: number, max: number): number {
  if (Number.isFinite(value) && value > 0 && value <= max) return value;
  const limit = max === Infinity ? '' : ` and at most ${max}`;
  throw refusal(param, `${param} must be a number greater than 0${limit}, got ${String(value)}.`);
}

function range(min: number, max: number): string {
  return max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
}

function refusal(param: string, message: string): EngineError {
  return new EngineError('invalid_request', message, param);
}
