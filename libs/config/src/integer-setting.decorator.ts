import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** A whole number from `min` to `max`, as text in the environment. */
export const IsIntegerSetting = (min: number, max: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value)),
    IsInt(),
    Min(min),
    Max(max),
  );
