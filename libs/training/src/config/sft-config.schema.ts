import type { SftConfig } from '@heddle/engine';
import Type from 'typebox';
import { configReader } from './config-reader.js';

const Optional = Type.Optional;
const learningRate = Type.Number({ minimum: 0 });

/** `config` of a fine-tuning job. */
export const SftConfigSchema = Type.Object(
  {
    batch_size: Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('auto')], {
        description: "a whole number from 1 on, or 'auto'",
      }),
    ),
    learning_rate: Optional(
      Type.Union([learningRate, Type.Array(learningRate, { minItems: 1 })], {
        description: 'a number from 0 on, or an array of them with one for each batch',
      }),
    ),
    assistant_turns: Optional(Type.Enum(['all', 'last'], { description: "'all' or 'last'" })),
  },
  {
    description:
      'What is left out or null takes its default: `batch_size` `auto` (2), `learning_rate` the one of the engine, `assistant_turns` `all`. Other keys are accepted and ignored.',
  },
);

export const readSftConfig = configReader(SftConfigSchema);

/** The settings of a stored job. */
export const sftConfigOf = (given: Record<string, unknown>): SftConfig => readSftConfig(given, []).known;
