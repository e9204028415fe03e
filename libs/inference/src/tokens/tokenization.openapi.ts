import Type, { type TSchema } from 'typebox';
import { Message, Tool } from '../dto/chat-completion.openapi.js';
import { optional } from '../dto/openai-fields.openapi.js';

export const TokenizeBody: TSchema = Type.Object({
  model: Type.String({ description: "As a chat's" }),
  prompt: optional(Type.String({ description: 'A text; or else `messages`' })),
  messages: optional(Type.Array(Message, { minItems: 1 })),
  tools: optional(Type.Array(Tool)),
  chat_template_kwargs: optional(Type.Object({}, { description: 'Variables of the chat template' })),
  add_special_tokens: optional(
    Type.Boolean({
      description: "Of a `prompt`: whether it begins with the tokenizer's beginning-of-text token; default true",
    }),
  ),
  return_token_strs: optional(Type.Boolean({ default: false })),
});

export const TOKENIZE_EXAMPLE = { model: 'heddle/shuttle-1m', prompt: 'Hi' };

export const DetokenizeBody: TSchema = Type.Object({
  model: Type.String({ description: "As a chat's" }),
  tokens: Type.Array(Type.Integer({ minimum: 0 })),
});

export const DETOKENIZE_EXAMPLE = { model: 'heddle/shuttle-1m', tokens: [72, 105] };
