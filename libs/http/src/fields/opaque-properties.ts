import 'reflect-metadata';
import { exactly } from '../bodies/json-body.js';

const OPAQUE = Symbol('OPAQUE');

/** Marks a DTO's property whose value the validation pipe must leave alone. */
export const Opaque: PropertyDecorator = (target, property) => {
  const marked = [...opaqueOf(target.constructor), String(property)];
  Reflect.defineMetadata(OPAQUE, marked, target.constructor);
};

/**
 * Hides the values of a body's opaque properties in functions, which Nest's pipe and class-transformer pass on as they are.
 * From everything else they take keys like `constructor` away, and copy it level by level. Integers keep all their digits.
 */
export function hideOpaque(body: unknown, dto: unknown): unknown {
  if (typeof dto !== 'function' || typeof body !== 'object' || body === null) return body;
  const hidden = opaqueOf(dto).filter((property) => Object.hasOwn(body, property));
  if (hidden.length === 0) return body;
  const fields = body as Record<string, unknown>;
  const valueOf = (property: string): unknown => exactly(body, property) ?? fields[property];
  return { ...body, ...Object.fromEntries(hidden.map((property) => [property, () => valueOf(property)])) };
}

/** For `@Transform`: takes the value out again. */
export const unhideOpaque = ({ value }: { value: unknown }): unknown => (typeof value === 'function' ? value() : value);

export const opaqueOf = (dto: object): string[] => (Reflect.getMetadata(OPAQUE, dto) as string[] | undefined) ?? [];
