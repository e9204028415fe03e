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

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
});
