import 'reflect-metadata';

const OPAQUE = Symbol('OPAQUE');

/** Marks a DTO's property whose value class-transformer must leave alone. */
export const Opaque: PropertyDecorator = (target, property) => {
  const marked = [...opaqueOf(target.constructor), String(property)];
  Reflect.defineMetadata(OPAQUE, marked, target.constructor);
};

/**
 * Hides the values of a body's opaque properties in functions, which class-transformer passes on as they are. Everything
 * else it copies level by level, and it takes a key like `constructor` for more than data.
 */
export function hideOpaque(body: unknown, dto: unknown): unknown {
  if (typeof dto !== 'function' || typeof body !== 'object' || body === null) return body;
  const hidden = opaqueOf(dto).filter((property) => Object.hasOwn(body, property));
  if (hidden.length === 0) return body;
  const fields = body as Record<string, unknown>;
  return { ...body, ...Object.fromEntries(hidden.map((property) => [property, () => fields[property]])) };
}

/** For `@Transform`: takes the value out again. */
export const unhideOpaque = ({ value }: { value: unknown }): unknown => (typeof value === 'function' ? value() : value);

const opaqueOf = (dto: object): string[] => (Reflect.getMetadata(OPAQUE, dto) as string[] | undefined) ?? [];
