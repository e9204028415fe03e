import { isJsonDouble, NON_FINITE } from '@heddle/json';
import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** A double in the API document: what JSON has no number for is a text. */
export const JSON_DOUBLE = { oneOf: [{ type: 'number' }, { type: 'string', enum: [...NON_FINITE] }] };

const words = NON_FINITE.map((word) => `'${word}'`).join(' or ');

/** A finite number, or the word for one that isn't. */
export const IsJsonDouble = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isJsonDouble',
      validator: {
        // 1e999 parses as Infinity, and was meant for a number.
        validate: (value) => (typeof value === 'number' ? Number.isFinite(value) : isJsonDouble(value)),
        defaultMessage: buildMessage((each) => `${each}$property must be a number, or ${words}`, options),
      },
    },
    options,
  );
