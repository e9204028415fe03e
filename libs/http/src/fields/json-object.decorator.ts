import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Opaque, unhideOpaque } from './opaque-properties.js';

/** JSON.stringify recurses; what is nested deeper than this is no honest data. */
const MAX_DEPTH = 64;

/** A JSON object of the user's own: its values are neither copied nor checked, but for what can't be written again. */
export const IsJsonObject = (example: Record<string, unknown>): PropertyDecorator =>
  applyDecorators(
    Opaque,
    Transform(unhideOpaque),
    ValidateBy({
      name: 'isJsonObject',
      validator: {
        validate: isWritableObject,
        defaultMessage: () => `$property must be a JSON object of finite numbers, at most ${MAX_DEPTH} levels deep`,
      },
    }),
    ApiProperty({ type: 'object', additionalProperties: true, example }),
  );

/** Whether JSON.stringify can write a parsed value again, and it is an object. */
export function isWritableObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const level: unknown[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    for (const node of level.splice(0)) {
      for (const child of Object.values(node as object)) {
        // 1e999 parses as Infinity, and would be written as null.
        if (typeof child === 'number' && !Number.isFinite(child)) return false;
        if (typeof child === 'object' && child !== null) level.push(child);
      }
    }
  }
  return true;
}
