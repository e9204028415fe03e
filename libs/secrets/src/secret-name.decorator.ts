import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsNotIn, Matches } from 'class-validator';
import { RESERVED_NAMES } from './payload-variables.js';

const NAME = /^[A-Za-z0-9_]{1,64}$/;

/** The name of a secret: it stands in payloads as `$NAME` and `${NAME}`. */
export const IsSecretName = (): PropertyDecorator =>
  applyDecorators(
    IsNotIn([...RESERVED_NAMES], { message: '$property must not be the name of a payload variable' }),
    Matches(NAME, { message: '$property must be 1 to 64 letters, digits and underscores' }),
    ApiProperty({ pattern: NAME.source }),
  );
