import type { Schema } from './schema-keywords.js';
import type { Placed } from './schema-parts.js';
import type { SchemaWays } from './schema-ways.js';

/** What the rules of objects and arrays ask of the schema that they are part of. */
export interface SchemaValues {
  readonly ways: SchemaWays;
  at(schema: Schema): string;
  /** Rule of a value without which there is no whole either; null: there is none. */
  needed(schemas: readonly Placed[]): string | null;
  /** Rule of a value that may be left out; null: it must be. */
  optional(schemas: readonly Placed[]): string | null;
  /** There is no value, and why. */
  nothing(place: string, why?: string): null;
}
