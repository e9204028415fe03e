import { type ArgumentMetadata, Injectable, type ValidationError as FieldError, ValidationPipe } from '@nestjs/common';
import { type ValidationDetail, ValidationError } from './api-error.js';
import { hideOpaque } from './opaque-properties.js';

const LOCATIONS = { body: 'body', query: 'query', param: 'path', custom: 'request' } as const;

/** Carries what class-validator found up to where the kind of argument is known. */
class FieldErrors extends Error {
  constructor(readonly fields: FieldError[]) {
    super('invalid fields');
  }
}

/** Checks DTOs. Unknown keys are dropped, never refused; the answer names each place as `loc`. */
@Injectable()
export class ApiValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      exceptionFactory: (fields) => new FieldErrors(fields),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A body's own bytes (see RawBody) have no fields; the base class would copy them one by one.
    if (Buffer.isBuffer(value)) return value;
    try {
      return await (super.transform(hideOpaque(value, metadata.metatype), metadata) as Promise<unknown>);
    } catch (error) {
      const root = LOCATIONS[metadata.type as keyof typeof LOCATIONS];
      // Copying goes down level by level, and a body of brackets is deeper than the stack.
      if (error instanceof RangeError) throw ValidationError.at([root], "can't be read", 'unreadable');
      if (!(error instanceof FieldErrors)) throw error;
      throw new ValidationError(error.fields.flatMap((field) => toDetails(field, [root])));
    }
  }
}

function toDetails(error: FieldError, parent: string[]): ValidationDetail[] {
  const loc = [...parent, error.property];
  const own = Object.entries(error.constraints ?? {}).map(([constraint, msg]) => ({
    loc,
    msg,
    type: error.value === undefined ? 'missing' : snakeCase(constraint),
    // Only what is small: a body that nests too deeply can't be written into the answer either.
    input: typeof error.value === 'object' ? undefined : error.value,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => toDetails(child, loc))];
}

/** `isUuid` -> `is_uuid`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
