import { isDeepStrictEqual } from 'node:util';
import { Language, NoLanguageError } from '../grammar/language.js';
import {
  ALL_TYPES,
  forbiddenTypes,
  forbiddenValues,
  isChecked,
  isOfType,
  list,
  meantTypes,
  namedTypes,
  sharedTypes,
  type JsonType,
  type Schema,
} from './schema-keywords.js';
import { isInRange, numberRange, type NumberRange } from './schema-numbers.js';
import { SchemaParts, type Parts, type Placed } from './schema-parts.js';
import { SchemaStrings, type StringRange } from './schema-strings.js';

/** The ways to be valid against a schema, and what each says of a value. */
export class SchemaWays {
  /** What is said is all that the schema says: whoever keeps to it need not be checked. */
  isExact = true;
  readonly parts: SchemaParts;
  readonly strings = new SchemaStrings();

  constructor(root: Schema) {
    this.parts = new SchemaParts(root, () => this.inexact());
  }

  inexact(): void {
    this.isExact = false;
  }

  of(parts: Parts): Parts[] {
    const ways = this.parts.ways(parts);
    for (const way of ways) for (const schema of way.keys()) if (isChecked(schema)) this.inexact();
    return ways;
  }

  texts(schemas: readonly Placed[]): { language: Language; words: string[] | null } {
    const ways = this.waysOf(schemas).filter((way) => this.types(way)?.includes('string') ?? true);
    const words = ways.map((way) => this.constants(way)?.filter((value) => typeof value === 'string') ?? null);
    const languages = ways.map((way, i) => (words[i] ? Language.ofWords(words[i]) : this.languageOf(way)));
    return {
      language: languages.reduce((all, one) => all.or(one), Language.none),
      words: words.every((some) => some !== null) ? words.flat() : null,
    };
  }

  private languageOf(way: Parts): Language {
    try {
      return this.strings.language(this.stringRange(way));
    } catch (error) {
      if (!(error instanceof NoLanguageError)) throw error;
      this.inexact();
      return Language.all;
    }
  }

  finite(schemas: readonly Placed[]): unknown[] | null {
    const values: unknown[] = [];
    for (const way of this.waysOf(schemas)) {
      const constants = this.constants(way) ?? simple(this.types(way));
      if (!constants) return null;
      values.push(...constants);
    }
    return values.filter((value, i) => values.findIndex((other) => isDeepStrictEqual(value, other)) === i);
  }

  private waysOf(schemas: readonly Placed[]): Parts[] {
    const parts = this.parts.gather(schemas);
    return parts ? this.of(parts) : [];
  }

  stringRange(way: Parts): StringRange {
    return this.strings.range([...way.keys()], (schema) => this.parts.at(schema));
  }

  /** Null: any. */
  types(way: Parts): readonly JsonType[] | null {
    const schemas = [...way.keys()];
    const each = (of: (schema: Schema) => readonly JsonType[] | null): JsonType[] | null => {
      const known = schemas.flatMap((schema) => {
        const types = of(schema);
        return types ? [types] : [];
      });
      return known.length === 0 ? null : known.reduce<JsonType[]>(sharedTypes, [...known[0]!]);
    };
    const meant = each(meantTypes);
    const types = each((schema) => namedTypes(schema, this.parts.at(schema))) ?? (meant?.length === 0 ? null : meant);
    const forbidden = schemas.flatMap(forbiddenTypes);
    if (!types && forbidden.length === 0) return null;
    return (types ?? ALL_TYPES).filter(
      (type, _, all) =>
        !forbidden.includes(type) && !(type === 'integer' && (all.includes('number') || forbidden.includes('number'))),
    );
  }

  /** The values that the schemas name and that are valid; null: they name none. */
  constants(way: Parts): unknown[] | null {
    const schemas = [...way.keys()];
    const lists = schemas.flatMap((schema) => {
      const values = list(schema, 'enum', this.parts.at(schema));
      return [...(schema['const'] === undefined ? [] : [[schema['const']]]), ...(values ? [values] : [])];
    });
    if (lists.length === 0) return null;
    const includes = (values: readonly unknown[], value: unknown): boolean =>
      values.some((other) => isDeepStrictEqual(other, value));
    const types = this.types(way) ?? ALL_TYPES;
    const forbidden = schemas.flatMap(forbiddenValues);
    const strings = this.stringRange(way);
    const numbers = this.numberRange(way);
    return lists[0]!.filter((value) => {
      if (
        !lists.slice(1).every((values) => includes(values, value)) ||
        !isOfType(value, types) ||
        includes(forbidden, value)
      )
        return false;
      if (typeof value === 'number') return isInRange(value, numbers);
      if (typeof value === 'string') return this.strings.has(strings, value);
      if (
        typeof value === 'object' &&
        value !== null &&
        schemas.some((schema) => meantTypes(schema)?.some((type) => type === 'object' || type === 'array'))
      )
        this.inexact();
      return true;
    });
  }

  numberRange(way: Parts): NumberRange {
    return numberRange([...way.keys()], (schema) => this.parts.at(schema));
  }
}

/** All values of types that have few. */
function simple(types: readonly JsonType[] | null): unknown[] | null {
  if (!types?.every((type) => type === 'boolean' || type === 'null')) return null;
  return types.flatMap((type) => (type === 'null' ? [null] : [true, false]));
}
