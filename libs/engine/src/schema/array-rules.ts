import type { JsonGrammar } from '../grammar/json-grammar.js';
import { count, list, type Schema } from './schema-keywords.js';
import type { Placed } from './schema-parts.js';
import type { SchemaValues } from './schema-values.js';

/** Values of which each order is written out where no two may be equal. */
const MAX_DISTINCT = 7;

/** What the schemas of one array say of its items, together. */
export class ArrayRules {
  private readonly place: string;

  constructor(
    private readonly json: JsonGrammar,
    private readonly schemas: readonly Schema[],
    private readonly values: SchemaValues,
  ) {
    this.place = schemas[0] ? values.at(schemas[0]) : '#';
  }

  /** The items that are named are always there. Null: there is no such array. */
  body(): string | null {
    const contained = this.contained();
    const named = [...this.prefixes(), ...contained];
    const unique = this.schemas.some((schema) => schema['uniqueItems'] === true);
    const [least, most] = this.counts();
    // What must be contained stands behind what has a place of its own.
    const min = contained.length > 0 ? Math.max(least, named.length) : least;
    let max = most;
    if (max !== null && max < min) return this.values.nothing(this.place, '`maxItems` is less than `minItems`.');
    const first: string[] = [];
    for (const item of named.slice(0, max ?? undefined)) {
      const value = first.length < min ? this.values.needed(item) : this.values.optional(item);
      if (value === null) break;
      first.push(value);
    }
    if (first.length < named.length) max = first.length;
    const rest = max === first.length ? null : this.rest(first.length, min);
    if (rest === null && min > first.length)
      return this.values.nothing(this.place, '`minItems` is more than there can be.');
    if (unique && (max === null || max > 1)) {
      const values = first.length === 0 ? this.values.ways.finite(this.restSchemas()) : null;
      if (values && values.length <= MAX_DISTINCT) return this.distinct(values, min, max);
      this.values.ways.inexact();
    }
    return this.json.array(first, rest, Math.max(min, first.length), max);
  }

  private distinct(values: unknown[], min: number, max: number | null): string | null {
    if (values.length < min) return this.values.nothing(this.place, 'there are fewer different items than `minItems`.');
    const items = values.map((value) => this.json.constant(value));
    return this.json.distinct(items, min, Math.min(max ?? Infinity, items.length));
  }

  /** Schemas of the items with a place of their own. */
  private prefixes(): Placed[][] {
    const places = Math.max(0, ...this.schemas.map((schema) => this.prefix(schema).length));
    return Array.from({ length: places }, (_, i) =>
      this.schemas.flatMap((schema) => this.prefix(schema)[i] ?? this.after(schema)),
    );
  }

  /** Of one item for each time that something must be contained. */
  private contained(): Placed[][] {
    return this.schemas.flatMap((schema) => {
      if (schema['contains'] === undefined) return [];
      const times = count(schema, 'minContains', this.place) ?? 1;
      const item = [...this.restSchemas(), { schema: schema['contains'], place: `${this.values.at(schema)}/contains` }];
      return Array.from({ length: times }, () => item);
    });
  }

  private rest(first: number, min: number): string | null {
    return min > first ? this.values.needed(this.restSchemas()) : this.values.optional(this.restSchemas());
  }

  private restSchemas(): Placed[] {
    return this.schemas.flatMap((schema) => this.after(schema));
  }

  private prefix(schema: Schema): Placed[] {
    const at = this.values.at(schema);
    // Up to draft 7 a list of `items` was what is now `prefixItems`.
    const key = Array.isArray(schema['items']) ? 'items' : 'prefixItems';
    return (list(schema, key, at, true) ?? []).map((item, i) => ({ schema: item, place: `${at}/prefixItems/${i}` }));
  }

  private after(schema: Schema): Placed[] {
    const key = Array.isArray(schema['items']) ? 'additionalItems' : 'items';
    const value = schema[key];
    return value === undefined ? [] : [{ schema: value, place: `${this.values.at(schema)}/${key}` }];
  }

  private counts(): [number, number | null] {
    const all = (key: string): number[] => this.schemas.flatMap((schema) => count(schema, key, this.place) ?? []);
    const most = all('maxItems');
    return [Math.max(0, ...all('minItems')), most.length > 0 ? Math.min(...most) : null];
  }
}
