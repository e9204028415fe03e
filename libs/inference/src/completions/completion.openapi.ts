import Type, { type TSchema } from 'typebox';
import {
  nullable,
  optional,
  PromptLogprobs,
  SamplingFields,
  TokenIdsFields,
  Usage,
} from '../dto/openai-fields.openapi.js';

const TokenIds = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });
const Text = Type.String({ minLength: 1 });

export const CompletionBody: TSchema = Type.Object({
  model: Type.String({ description: "As a chat's" }),
  prompt: Type.Union([Text, TokenIds, Type.Array(Text, { minItems: 1 }), Type.Array(TokenIds, { minItems: 1 })], {
    description: 'A text, token ids, or several of either; all prompts have 128 choices together at most',
  }),
  ...SamplingFields,
  max_tokens: optional(Type.Integer({ minimum: 0, default: 16, description: 'Of each choice; 0 with `echo` alone' })),
  logprobs: optional(
    Type.Integer({
      minimum: 0,
      maximum: 20,
      description: 'How many alternatives to report for each token; null: nothing',
    }),
  ),
  echo: optional(
    Type.Boolean({
      default: false,
      description:
        "Begins each choice with its prompt's text, and with `logprobs` with its tokens; then `max_tokens` may be 0",
    }),
  ),
  add_special_tokens: optional(
    Type.Boolean({
      default: true,
      description: "Begins a text with the tokenizer's beginning-of-text token, where it has one",
    }),
  ),
  stream: optional(Type.Boolean({ default: false })),
  stream_options: optional(Type.Object({ include_usage: optional(Type.Boolean({ default: false })) })),
  ...TokenIdsFields,
});

export const COMPLETION_EXAMPLE = { model: 'heddle/shuttle-1m', prompt: 'Say yes, no or', max_tokens: 16 };

const Logprobs = Type.Object({
  text_offset: Type.Array(Type.Integer()),
  token_logprobs: Type.Array(nullable(Type.Number()), { description: "null for a prompt's first token" }),
  tokens: Type.Array(Type.String()),
  top_logprobs: Type.Array(nullable(Type.Object({}, { additionalProperties: Type.Number() }))),
});

export const CompletionAnswer: TSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('text_completion'),
  created: Type.Integer({ description: 'Seconds since 1970' }),
  model: Type.String({ description: 'As it was asked for' }),
  system_fingerprint: Type.String({ description: 'Which weights answered: `stepN`, or the base model' }),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Choice c of prompt p is p * n + c' }),
      text: Type.String(),
      logprobs: nullable(Logprobs),
      finish_reason: Type.Enum(['stop', 'length']),
      stop_reason: Type.Union([Type.String(), Type.Integer(), Type.Null()]),
      token_ids: Type.Optional(Type.Array(Type.Integer())),
      prompt_token_ids: Type.Optional(Type.Array(Type.Integer())),
      prompt_logprobs: Type.Optional(PromptLogprobs),
    }),
  ),
  usage: Usage,
});

/** An event of the stream. */
export const CompletionEvent = Type.Object(
  { data: Type.String() },
  {
    description:
      'With `stream`: a part of a completion in each event, then `[DONE]`. An event with `error` is the last one.',
  },
);
