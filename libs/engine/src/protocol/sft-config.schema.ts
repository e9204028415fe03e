import Type from 'typebox';
import { DEFAULT_LEARNING_RATE } from './rl-config.schema.js';
import { setting } from './setting.js';
import { Settings, type SettingsOf } from './settings.js';

export const AUTO_BATCH_SIZE = 2;

const rate = Type.Number({ minimum: 0 });

/** `config` of a fine-tuning job. */
export const SFT_SETTINGS = new Settings(
  Type.Object(
    {
      batch_size: setting(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('auto')]), {
        default: 'auto',
        description: `Examples in one gradient step; \`auto\` is ${AUTO_BATCH_SIZE}`,
      }),
      learning_rate: setting(Type.Union([rate, Type.Array(rate, { minItems: 1 })]), {
        default: DEFAULT_LEARNING_RATE,
        description: 'How far AdamW moves each weight in a step, about; one for all batches, or one for each',
      }),
      assistant_turns: setting(Type.Enum(['all', 'last']), {
        default: 'all',
        description: "Which of the assistant's messages are learnt",
      }),
    },
    { description: 'What is left out or null takes its default. Other keys are accepted and ignored.' },
  ),
  { place: 'config' },
);

/**
 * What is wrong with a list of learning rates for so many examples, as the end of a sentence about it; null where it fits, or
 * there is one rate for all.
 */
export function rateListProblem(config: SftConfig, examples: number): string | null {
  const { batch_size: size, learning_rate: rates } = SFT_SETTINGS.resolve(config);
  const batchSize = size === 'auto' ? AUTO_BATCH_SIZE : size;
  const batches = Math.ceil(examples / batchSize);
  if (typeof rates === 'number' || rates.length === batches) return null;
  return `has ${rates.length} entries, but ${examples} examples in batches of ${batchSize} make ${batches} batches`;
}

export type SftConfig = SettingsOf<typeof SFT_SETTINGS>;
