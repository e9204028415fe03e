import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The name of a user or a team: it stands in URLs, refs and project ids as it is. */
export const IsName = (): PropertyDecorator =>
  applyDecorators(
    Matches(NAME, {
      message: '$property must be 1 to 64 letters, digits, underscores, dots and dashes, the first a letter or a digit',
    }),
    ApiProperty({ pattern: NAME.source }),
  );
