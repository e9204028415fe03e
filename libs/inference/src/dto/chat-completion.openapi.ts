import { SAMPLING_SETTINGS } from '@heddle/engine';
import Type, { type TSchema } from 'typebox';
import {
  ConstraintFields,
  nullable,
  optional,
  PromptFields,
  PromptLogprobs,
  SamplingFields,
  TokenIdsFields,
  Usage,
} from './openai-fields.openapi.js';

export const Message = Type.Object({
  role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: optional(Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String(), text: Type.String() }))])),
  tool_calls: optional(Type.Array(Type.Object({}))),
  function_call: optional(Type.Object({ name: Type.String(), arguments: Type.String() })),
  refusal: optional(Type.String()),
  tool_call_id: optional(Type.String()),
});

export const Tool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String(),
    description: optional(Type.String()),
    parameters: optional(Type.Object({})),
  }),
});

const ToolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: Type.String() }) }),
]);

const ResponseFormat = Type.Object({
  type: Type.Enum(['text', 'json_object', 'json_schema']),
  json_schema: Type.Optional(Type.Object({ schema: Type.Optional(Type.Object({})) })),
});

const { maxTokens } = SAMPLING_SETTINGS.schema.properties;

export const ChatCompletionBody: TSchema = Type.Object({
  model: Type.String({
    description:
      '`wandb-artifact:///entity/project/name` (the latest checkpoint, or the untrained adapter), with `:stepN` or another alias; ' +
      'the scheme may be left out; or the id of a base model',
  }),
  messages: Type.Array(Message, { minItems: 1 }),
  tools: optional(Type.Array(Tool)),
  tool_choice: optional(ToolChoice),
  functions: optional(Type.Array(Tool.properties.function, { description: 'The older form of `tools`' })),
  function_call: optional(
    Type.Union([Type.Enum(['none', 'auto']), Type.Object({ name: Type.String() })], {
      description: 'The older form of `tool_choice`; a call is then answered as `function_call`',
    }),
  ),
  parallel_tool_calls: optional(Type.Boolean({ default: true })),
  response_format: optional(ResponseFormat),
  ...ConstraintFields,
  ...PromptFields,
  echo: optional(
    Type.Boolean({ default: false, description: 'An answer that goes on with the last message begins with it' }),
  ),
  stream: optional(Type.Boolean({ default: false })),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean({ default: false })) })),
  max_completion_tokens: optional(maxTokens),
  ...SamplingFields,
  max_tokens: optional(Type.Unsafe({ ...maxTokens, description: 'The older name of `max_completion_tokens`' })),
  logprobs: optional(Type.Boolean({ default: true, description: 'Of the unmodified distribution at temperature 1' })),
  ...TokenIdsFields,
});

export const CHAT_EXAMPLE = {
  model: 'heddle/shuttle-1m',
  messages: [{ role: 'user', content: 'Say yes, no or maybe.' }],
  max_completion_tokens: 16,
};

const Named = { token: Type.String(), logprob: Type.Number(), bytes: Type.Array(Type.Integer()) };
const Logprobs = Type.Object({
  content: Type.Array(Type.Object({ ...Named, top_logprobs: Type.Array(Type.Object(Named)) }), {
    description: 'One for each token, the end token too',
  }),
  refusal: Type.Null(),
});

const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

const head = {
  id: Type.String(),
  created: Type.Integer({ description: 'Seconds since 1970' }),
  model: Type.String({ description: 'As it was asked for' }),
  system_fingerprint: Type.String({ description: 'Which weights answered: `stepN`, or the base model' }),
};
const ending = {
  finish_reason: Type.Enum(['stop', 'length', 'tool_calls', 'function_call']),
  stop_reason: Type.Union([Type.String(), Type.Integer(), Type.Null()]),
};
const TokenIds = Type.Optional(Type.Array(Type.Integer()));

export const ChatCompletionAnswer: TSchema = Type.Object({
  ...head,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: nullable(Type.String()),
        refusal: Type.Null(),
        tool_calls: Type.Optional(Type.Array(ToolCall)),
        function_call: Type.Optional(ToolCall.properties.function),
      }),
      logprobs: nullable(Logprobs),
      ...ending,
      token_ids: TokenIds,
    }),
  ),
  usage: Usage,
  prompt_token_ids: TokenIds,
  prompt_logprobs: Type.Optional(PromptLogprobs),
});

/** An event of the stream. */
export const ChatCompletionEvent = Type.Object(
  { data: Type.String() },
  {
    description:
      'With `stream`: a `chat.completion.chunk` in each event, then `[DONE]`. An event with `error` is the last one.',
  },
);
