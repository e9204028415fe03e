/** What is wrong at one place of an example. Its message goes on from the name of the place: `must be ...`. */
export class BadPlace extends Error {
  /** @param path keys and indices from the line's object on */
  constructor(
    readonly path: string[],
    message: string,
  ) {
    super(message);
    this.name = 'BadPlace';
  }
}

export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws BadPlace */
export function objectAt(value: unknown, path: string[], msg: string): Fields {
  if (isObject(value)) return value;
  throw new BadPlace(path, msg);
}

/** Null is absent. @throws BadPlace */
export function listAt(value: unknown, path: string[], msg: string): unknown[] | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value as unknown[];
  throw new BadPlace(path, msg);
}

/** @throws BadPlace */
export function textAt(value: unknown, path: string[], msg = 'must be a text'): string {
  if (typeof value === 'string') return value;
  throw new BadPlace(path, msg);
}
