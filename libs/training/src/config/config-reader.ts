import { ValidationError, type ValidationDetail } from '@heddle/http';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export interface ReadConfig<T> {
  /** What the schema names. */
  known: T;
  /** All that was sent, without the nulls. */
  given: Record<string, unknown>;
}

/** @throws ValidationError that names each bad field */
export type ConfigReader<T> = (value: unknown, loc: string[]) => ReadConfig<T>;

/**
 * Compiles a reader for a job's settings. A null counts as absent, since clients write one for whatever their user left
 * unset; unknown keys are kept and checked by nobody. The description of each property ends the sentence "must be".
 */
export function configReader<S extends TObject>(schema: S): ConfigReader<Static<S>> {
  const fields = Object.entries(schema.properties as Record<string, TSchema & { description?: string }>).map(
    ([name, property]) => ({ name, description: property.description ?? 'something else', check: Compile(property) }),
  );
  return (value, loc) => {
    if (value === null || value === undefined) return { known: {} as Static<S>, given: {} };
    if (typeof value !== 'object' || Array.isArray(value))
      throw ValidationError.at(loc, 'must be an object', 'object_type');
    const given = Object.fromEntries(
      Object.entries(value).filter(([, field]) => field !== null && field !== undefined),
    );
    const present = fields.filter(({ name }) => Object.hasOwn(given, name));
    const problems = present
      .filter(({ name, check }) => !check.Check(given[name]))
      .map(({ name, description }) => problemAt([...loc, name], description, given[name]));
    if (problems.length > 0) throw new ValidationError(problems);
    return { known: Object.fromEntries(present.map(({ name }) => [name, given[name]])) as Static<S>, given };
  };
}

const problemAt = (loc: string[], description: string, value: unknown): ValidationDetail => ({
  loc,
  msg: `must be ${description}`,
  type: 'config_value',
  // Only what is small, and what JSON can say.
  input: typeof value === 'object' || value === Infinity || value === -Infinity ? undefined : value,
});
