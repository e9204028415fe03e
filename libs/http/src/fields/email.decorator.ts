import { isEmail, ValidateBy } from 'class-validator';

/** An address. class-validator's own check throws at half a surrogate pair. */
export const IsEmailAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEmail',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !/\p{Cs}/u.test(value) && isEmail(value),
      defaultMessage: () => '$property must be an email',
    },
  });
