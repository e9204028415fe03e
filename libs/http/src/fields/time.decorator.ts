import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';

/** A time in ISO 8601 form, as a Date. Class-transformer's own reading calls the value's `toString`, whatever that is. */
export const IsTime = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? new Date(value) : value)),
    IsDate({ message: '$property must be a time, such as 2026-01-31T12:00:00Z' }),
  );
