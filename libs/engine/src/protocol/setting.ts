import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';

/** What a setting means, and which value it takes where nobody sets it. */
interface Notes<T> {
  description: string;
  default?: Readonly<T>;
}

/** A property of a schema of settings. Its type tells whether there is a default. */
export function setting<S extends TSchema, const N extends Notes<Static<S>>>(
  schema: S,
  notes: N,
): TOptional<S & { description: string } & Pick<N, keyof N & 'default'>> {
  return Type.Optional(Object.assign(schema, notes)) as never;
}

/** Values that the settings of a schema take where nobody sets them. */
export type DefaultsOf<S extends TObject> = {
  [K in keyof S['properties'] as S['properties'][K] extends { default: unknown } ? K : never]: Static<
    S['properties'][K]
  >;
};
