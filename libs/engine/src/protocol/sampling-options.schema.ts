import Type from 'typebox';
import { setting } from './setting.js';
import { Settings, type SettingsOf } from './settings.js';

const TokenId = Type.String({ pattern: '^\\d+$' });

/** These are what generation_config.json may set for a base model. */
const OF_BASE = "; a base model's generation_config.json may set another default";

/**
 * Bounds are OpenAI's, except that `temperature` has no upper one, as in vLLM: reinforcement learning explores above 2.
 */
export const SAMPLING_SETTINGS = new Settings(
  Type.Object({
    n: setting(Type.Integer({ minimum: 1, maximum: 128 }), {
      default: 1,
      description: 'Completions of the one prompt',
    }),
    maxTokens: setting(Type.Integer({ minimum: 1 }), { description: `Default: what the context leaves${OF_BASE}` }),
    minTokens: setting(Type.Integer({ minimum: 0 }), { default: 0, description: 'The completion does not end before' }),
    temperature: setting(Type.Number({ minimum: 0 }), {
      default: 1,
      description: `0 takes the most probable token${OF_BASE}`,
    }),
    topP: setting(Type.Number({ exclusiveMinimum: 0, maximum: 1 }), {
      default: 1,
      description: `Samples among the most probable tokens that together have this probability${OF_BASE}`,
    }),
    topK: setting(Type.Integer({ minimum: -1 }), {
      default: 0,
      description: `Samples among so many tokens; 0 and -1: all${OF_BASE}`,
    }),
    minP: setting(Type.Number({ minimum: 0, maximum: 1 }), {
      default: 0,
      description: `Leaves out tokens with less than this share of the probability of the best${OF_BASE}`,
    }),
    repetitionPenalty: setting(Type.Number({ exclusiveMinimum: 0 }), {
      default: 1,
      description: `Above 1 makes tokens that were there less probable${OF_BASE}`,
    }),
    presencePenalty: setting(Type.Number({ minimum: -2, maximum: 2 }), {
      default: 0,
      description: 'Taken off the logit of a token that was sampled',
    }),
    frequencyPenalty: setting(Type.Number({ minimum: -2, maximum: 2 }), {
      default: 0,
      description: 'Taken off the logit of a token for each time that it was sampled',
    }),
    stop: setting(Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 16 }), {
      default: [],
      description: 'Strings that end the completion',
    }),
    includeStop: setting(Type.Boolean(), {
      default: false,
      description: 'Keeps the stop string that ended the completion',
    }),
    stopTokenIds: setting(Type.Array(Type.Integer({ minimum: 0 })), {
      default: [],
      description: 'Tokens that end the completion',
    }),
    ignoreEos: setting(Type.Boolean(), { default: false, description: 'Samples on after an end token' }),
    seed: setting(Type.Integer(), {
      description: 'The same seed gives the same completion, whatever else is sampled beside it. Default: random',
    }),
    logitBias: setting(
      Type.Record(TokenId, Type.Number({ minimum: -100, maximum: 100 }), { additionalProperties: false }),
      {
        description: 'Token id to what is added to its logit',
      },
    ),
    badWords: setting(Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 64 }), {
      description: 'Texts whose tokens are not sampled, at the beginning of a word or within one',
    }),
    allowedTokenIds: setting(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 }), {
      description: 'Samples among these tokens alone',
    }),
    skipSpecialTokens: setting(Type.Boolean(), {
      description:
        'Leaves special tokens out of the text, which they are by default; the one that ends it never is there',
    }),
    topLogprobs: setting(Type.Integer({ minimum: 0, maximum: 20 }), {
      default: 0,
      description: 'How many alternatives to report for each token',
    }),
    promptLogprobs: setting(Type.Integer({ minimum: 0, maximum: 20 }), {
      description: 'Reports the prompt, too: so many alternatives for each token, beside the token itself',
    }),
  }),
  { wireNames: { includeStop: 'include_stop_str_in_output' } },
);

export type SamplingSettings = SettingsOf<typeof SAMPLING_SETTINGS>;
