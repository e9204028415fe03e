import type { AnswerFormat, ChatMessage, OutputFormat, SamplingOptions, Tool } from '@heddle/engine';
import { ParameterError } from '@heddle/http';
import type { RequestFields } from './request-fields.js';
import { readBody } from './request-body.js';
import { readFormat } from './output-format.reader.js';
import { type PromptContext, readPromptContext } from './prompt-context.reader.js';
import { readSamplingOptions } from './sampling-options.reader.js';
import { readToolUse } from './tool-use.reader.js';
import { refuseUnsupported, UNSUPPORTED_IN_CHATS } from './unsupported-fields.js';

/** What the answer looks like. */
export interface AnswerOptions {
  stream: boolean;
  /** A stream ends with what it took. */
  includeUsage: boolean;
  logprobs: boolean;
  /** The tokens' ids beside the text. */
  tokenIds: boolean;
  /** Tokens are called `token_id:N` among the logprobs. */
  tokensAsIds: boolean;
  /** How many alternatives to tell of the prompt's tokens; null: nothing of them. */
  promptLogprobs: number | null;
  /** Calls are read out of the text. */
  readsToolCalls: boolean;
  /** Otherwise the first call of a choice is the only one. */
  parallelToolCalls: boolean;
  /** A call is answered as `function_call`. */
  legacyCalls: boolean;
  /** Text with which the answer begins, though it was not sampled. */
  echoed: string;
}

export interface ChatRequest {
  /** As it was sent. */
  model: string;
  messages: ChatMessage[];
  tools: Tool[] | null;
  context: PromptContext;
  options: SamplingOptions;
  /** Which field says what the answer looks like. */
  formatField: string;
  answer: AnswerOptions;
  /** The whole body, for the trace. */
  sent: Readonly<Record<string, unknown>>;
  /** Of the body. */
  bytes: number;
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/**
 * Reads the body of a chat completion. Unknown fields are nobody's mistake.
 * @throws ParameterError for what can't be read, or is out of its bounds; what hangs on the model is for the engine to say
 */
export function readChatRequest(body: Buffer): ChatRequest {
  const fields = readBody(body);
  refuseUnsupported(fields, UNSUPPORTED_IN_CHATS);
  return readChatFields(fields, body.length);
}

/** @param bytes of the body */
export function readChatFields(fields: RequestFields, bytes: number): ChatRequest {
  const messages = readMessages(fields);
  const { tools, format: call, readsToolCalls, isLegacy } = readToolUse(fields);
  const options = readSamplingOptions(fields);
  const format = call ?? (tools ? besideCalls(options.format, tools) : options.format);
  const context = readPromptContext(fields);
  const answer = readAnswerOptions(fields, options);
  return {
    model: fields.required('model', fields.string('model')),
    messages,
    tools,
    context,
    options: format ? { ...options, format } : options,
    formatField: readFormat(fields)?.field ?? 'response_format',
    answer: {
      ...answer,
      readsToolCalls,
      parallelToolCalls: answer.parallelToolCalls && !isLegacy,
      legacyCalls: isLegacy,
      echoed: echoed(fields, messages),
    },
    sent: fields.all,
    bytes,
  };
}

/** In the way of vLLM: the last message, where it is of the role that answers. */
function echoed(fields: RequestFields, messages: readonly ChatMessage[]): string {
  const last = messages.at(-1)!;
  if (!fields.boolean('echo') || last.role !== 'assistant') return '';
  if (typeof last.content === 'string') return last.content;
  throw fields.refusal('echo', 'needs the text of the last message in one piece');
}

/** Who may call a tool need not answer in the format. */
function besideCalls(format: OutputFormat | undefined, tools: readonly Tool[]): OutputFormat | undefined {
  if (!format) return tools.some((tool) => tool.function.strict) ? { type: 'tool_calls' } : undefined;
  if (format.type !== 'grammar') return { type: 'tool_call_or', format: format as AnswerFormat };
  throw new ParameterError('structured_outputs', 'A grammar is not supported together with tools that may be called');
}

/** What the roles' contents must be is for the template to say. */
export function readMessages(fields: RequestFields): ChatMessage[] {
  const messages = fields.required('messages', fields.objects('messages'));
  if (messages.length === 0) throw fields.refusal('messages', 'must not be empty');
  for (const message of messages) message.required('role', message.oneOf('role', ROLES));
  return messages.map(({ all }) => all as unknown as ChatMessage);
}

function readAnswerOptions(
  fields: RequestFields,
  { topLogprobs = 0, promptLogprobs }: SamplingOptions,
): Omit<AnswerOptions, 'readsToolCalls' | 'legacyCalls' | 'echoed'> {
  // Training clients read logprobs that they never ask for.
  const logprobs = fields.boolean('logprobs') ?? true;
  if (!logprobs && topLogprobs > 0) throw fields.refusal('top_logprobs', 'needs logprobs to be true');
  return {
    stream: readStream(fields, promptLogprobs),
    promptLogprobs: promptLogprobs ?? null,
    includeUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
    logprobs,
    tokenIds: fields.boolean('return_token_ids') ?? false,
    tokensAsIds: fields.boolean('return_tokens_as_token_ids') ?? false,
    parallelToolCalls: fields.boolean('parallel_tool_calls') ?? true,
  };
}

/** The events of a stream have no place for what is told of the prompt. */
export function readStream(fields: RequestFields, promptLogprobs: number | undefined): boolean {
  const stream = fields.boolean('stream') ?? false;
  if (stream && promptLogprobs !== undefined) throw fields.refusal('prompt_logprobs', 'is not supported in a stream');
  return stream;
}
