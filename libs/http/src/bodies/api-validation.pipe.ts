import { type ArgumentMetadata, Injectable, type ValidationError as FieldError, ValidationPipe } from '@nestjs/common';
import { type ValidationDetail, ValidationError } from '../errors/api-error.js';
import { fieldsOf, requireSmall } from './body-fields.js';
import { isLenient } from './lenient-bodies.js';
import { hideOpaque } from '../fields/opaque-properties.js';
import { unknownField } from './unknown-fields.js';

const LOCATIONS = { body: 'body', query: 'query', param: 'path', custom: 'request' } as const;

/** Carries what class-validator found up to where the kind of argument is known. */
class FieldErrors extends Error {
  constructor(readonly fields: FieldError[]) {
    super('invalid fields');
  }
}

const pipe = (forbidNonWhitelisted: boolean): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted,
    stopAtFirstError: true,
    validationError: { target: true },
    exceptionFactory: (fields) => new FieldErrors(fields),
  });

/**
 * Checks DTOs. Of a body, unknown fields are refused, but on routes that SDKs call (see ignoresUnknownFields); queries and
 * paths drop them. The answer names each place as `loc`.
 */
@Injectable()
export class ApiValidationPipe {
  private readonly strict = pipe(true);
  private readonly lenient = pipe(false);

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A body's own bytes (see RawBody) have no fields; Nest's pipe would copy them one by one.
    if (Buffer.isBuffer(value)) return value;
    const { type, metatype } = metadata;
    const isStrict = type === 'body' && !isLenient(value);
    const checked = type === 'body' ? requireSmall(value, metatype, isStrict) : value;
    try {
      const pipe = isStrict ? this.strict : this.lenient;
      return await (pipe.transform(hideOpaque(checked, metatype), metadata) as Promise<unknown>);
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
  if (error.constraints && 'whitelistValidation' in error.constraints)
    return [unknownField(parent, error.property, fieldsOf(error.target?.constructor))];
  const loc = [...parent, error.property];
  const missing = error.value === undefined;
  const own = Object.entries(error.constraints ?? {}).map(([constraint, msg]) => ({
    loc,
    msg: missing ? `${error.property} is required` : msg,
    type: missing ? 'missing' : snakeCase(constraint),
    input: error.value as unknown,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => toDetails(child, loc))];
}

/** `isUuid` -> `is_uuid`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
