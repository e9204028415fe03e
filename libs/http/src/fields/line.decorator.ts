import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches, MaxLength, MinLength } from 'class-validator';

/** One line of text of 1 to `max` characters. PostgreSQL stores neither U+0000 nor lone surrogates. */
export const IsLine = (max: number): PropertyDecorator =>
  applyDecorators(
    MinLength(1),
    MaxLength(max),
    Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must be printable characters' }),
    ApiProperty({ minLength: 1, maxLength: max }),
  );
