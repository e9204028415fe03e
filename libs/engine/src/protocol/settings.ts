import type { Static, TObject, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { demandOf } from './demand.js';
import { EngineError } from './engine.errors.js';
import type { DefaultsOf } from './setting.js';

/** A value that a setting can't have. */
export interface SettingProblem {
  name: string;
  wireName: string;
  /** Ends the sentence "it must be". */
  demand: string;
  value: unknown;
}

export interface Setting {
  name: string;
  wireName: string;
  schema: TSchema;
}

interface Naming {
  /** What the settings stand in, e.g. `config`. */
  place?: string;
  /** Names on the wire that are not those of the schema in snake case. */
  wireNames?: Readonly<Record<string, string>>;
}

/** The type of the settings that a {@link Settings} describes. */
export type SettingsOf<T> = T extends Settings<infer S> ? Static<S> : never;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A set of settings, declared once: its schema says what they are called, their types, bounds and defaults, and what they
 * mean. Whoever takes settings from a user checks them with {@link problems}; the engine reads them with {@link resolve};
 * the API's document shows the schema.
 */
export class Settings<S extends TObject> {
  readonly all: readonly Setting[];
  private readonly defaults: DefaultsOf<S>;

  constructor(
    readonly schema: S,
    private readonly naming: Naming = {},
  ) {
    const properties = Object.entries(schema.properties as Record<string, TSchema & { default?: unknown }>);
    this.all = properties.map(([name, property]) => ({ name, wireName: this.wireName(name), schema: property }));
    const defaults = properties.filter((entry) => entry[1].default !== undefined);
    this.defaults = Object.fromEntries(defaults.map(([name, property]) => [name, property.default])) as DefaultsOf<S>;
  }

  /** Those that the schema names and that are set: null and undefined count as unset. */
  known(given: Fields): Static<S> {
    const known = this.all.filter(({ name }) => isSet(given, name));
    return Object.fromEntries(known.map(({ name }) => [name, given[name]])) as Static<S>;
  }

  /** Of the keys that are set, those that the schema does not name. */
  unknownKeys(given: Fields): string[] {
    return Object.keys(given).filter((key) => isSet(given, key) && !Object.hasOwn(this.schema.properties, key));
  }

  problems(given: Fields): SettingProblem[] {
    return this.all
      .filter(({ name, schema }) => isSet(given, name) && !Check(schema, given[name]))
      .map(({ name, wireName, schema }) => ({ name, wireName, demand: demandOf(schema), value: given[name] }));
  }

  /** With defaults. @throws EngineError `invalid_request` that names a setting which is wrong */
  resolve(given: Fields): Static<S> & DefaultsOf<S> {
    const [problem] = this.problems(given);
    if (problem) throw this.refusal(problem.wireName, `must be ${problem.demand}, not ${shown(problem.value)}`);
    return { ...this.defaults, ...this.known(given) };
  }

  /** @param name on the wire */
  refusal(name: string, complaint: string): EngineError {
    const { place } = this.naming;
    return new EngineError('invalid_request', `${name} ${complaint}.`, place === undefined ? name : `${place}.${name}`);
  }

  private wireName(name: string): string {
    return this.naming.wireNames?.[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

const isSet = (given: Fields, name: string): boolean => Object.hasOwn(given, name) && (given[name] ?? null) !== null;

const shown = (value: unknown): string => (typeof value === 'object' ? 'something else' : String(value).slice(0, 40));
