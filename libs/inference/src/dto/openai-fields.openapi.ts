import { SAMPLING_SETTINGS } from '@heddle/engine';
import Type, { type TSchema } from 'typebox';

/** For the API document: requests are read by their readers, which say what is wrong in OpenAI's words. */

export const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What the engine declares. One item may stand for a list of one. */
export const SamplingFields = Object.fromEntries(
  SAMPLING_SETTINGS.all.map(({ wireName, schema }) => [
    wireName,
    optional(Type.IsArray(schema) ? Type.Union([schema.items, schema]) : schema),
  ]),
);

const Constraints = {
  json: optional(Type.Union([Type.Object({}), Type.String()], { description: 'A JSON schema, or its text' })),
  json_object: optional(Type.Boolean()),
  choice: optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1000 })),
  regex: optional(Type.String({ description: "ECMAScript's, for the whole text" })),
  grammar: optional(Type.String({ description: 'In the notation of GBNF; its first rule is `root`' })),
};

/** vLLM's forms of `response_format`. */
export const ConstraintFields = {
  structured_outputs: optional(
    Type.Object(Constraints, { description: 'What the answer must look like, in one of these ways' }),
  ),
  ...Object.fromEntries(Object.entries(Constraints).map(([name, schema]) => [`guided_${name}`, schema])),
};

/** vLLM's fields of a chat's prompt. */
export const PromptFields = {
  chat_template_kwargs: optional(Type.Object({}, { description: 'Variables for the chat template' })),
  documents: optional(Type.Array(Type.Object({}), { description: 'A variable for the chat template' })),
  reasoning_effort: optional(Type.String({ description: 'A variable for the chat template' })),
  add_generation_prompt: optional(
    Type.Boolean({ description: 'Whether the prompt ends with the beginning of an answer; default true' }),
  ),
  continue_final_message: optional(
    Type.Boolean({ default: false, description: 'The completion goes on with the last message' }),
  ),
};

export const TokenIdsFields = {
  return_token_ids: optional(
    Type.Boolean({
      default: false,
      description:
        'Adds `prompt_token_ids`, and `token_ids` to each choice. Whoever asks for them trains on them: the defaults of the base model do not apply then, so that the tokens are samples of its own distribution',
    }),
  ),
  return_tokens_as_token_ids: optional(
    Type.Boolean({ default: false, description: 'Calls tokens `token_id:N` among the logprobs' }),
  ),
};

/** vLLM's answer to `prompt_logprobs`. */
export const PromptLogprobs = Type.Array(
  nullable(
    Type.Record(
      Type.String(),
      Type.Object({ logprob: Type.Number(), rank: Type.Integer(), decoded_token: Type.String() }),
    ),
  ),
  { description: 'Of each token of the prompt after the first, by token id: the token itself and likelier ones' },
);

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
});
