import type { JsonGrammar } from '../grammar/json-grammar.js';
import { NoLanguageError } from '../grammar/language.js';
import { languageRule, plainSpelling } from '../grammar/language-rules.js';
import { boundedNumber } from '../grammar/number-grammar.js';
import { multiples } from '../grammar/number-language.js';
import { ArrayRules } from './array-rules.js';
import { ObjectRules } from './object-rules.js';
import { ALL_TYPES, SchemaRefusal, type JsonType, type Schema } from './schema-keywords.js';
import type { Parts, Placed } from './schema-parts.js';
import type { SchemaValues } from './schema-values.js';
import { StringRules } from './string-rules.js';
import { SchemaWays } from './schema-ways.js';

const MAX_DEPTH = 100;
/** Of several reasons another one says more. */
const NOTHING = 'nothing is valid.';

/**
 * Rules for the values of a JSON schema. What they generate is valid, unless `isExact` says that it must be checked; not all
 * that is valid is generated: members come in the order of `properties`, and objects that name properties get no others.
 *
 * The grammar library's own reader of schemas (0.1.27) is no match: it takes a pattern for the whole text wherever its
 * anchors are, reads the point in a number's bounds as any character, and passes over `not`, `allOf`, `uniqueItems`, `multipleOf`,
 * `contains` and what stands beside `enum` without a word.
 */
export class SchemaGrammar implements SchemaValues {
  private readonly rules = new Map<string, string | null>();
  /** Of each rule: for each way what it can't be without. */
  private readonly needs = new Map<string, string[][]>();
  private needing: string[] = [];
  private depth = 0;
  private reason: { place: string; why: string } | null = null;

  constructor(
    private readonly json: JsonGrammar,
    private readonly root: Schema,
    readonly ways = new SchemaWays(root),
    /** Keys of parts that no finite value fulfils. */
    private readonly dead: ReadonlySet<string> = new Set(),
  ) {}

  /** Rule of the schema's values. @throws SchemaRefusal where there are none, or no rules keep to it */
  compile(): { rule: string; isExact: boolean } {
    const rule = this.optional([{ schema: this.root, place: '#' }]);
    const endless = this.endless();
    if (rule !== null && endless.size > 0)
      return new SchemaGrammar(this.json, this.root, this.ways, new Set([...this.dead, ...endless])).compile();
    if (rule !== null) return { rule, isExact: this.ways.isExact };
    const { place, why } = this.reason ?? { place: '#', why: NOTHING };
    throw new SchemaRefusal(place, why);
  }

  at(schema: Schema): string {
    return this.ways.parts.at(schema);
  }

  inexact(): void {
    this.ways.inexact();
  }

  nothing(place: string, why = NOTHING): null {
    if (why !== NOTHING || !this.reason) this.reason = { place, why };
    return null;
  }

  needed(schemas: readonly Placed[]): string | null {
    const rule = this.optional(schemas);
    if (rule !== null) this.needing.push(rule);
    return rule;
  }

  optional(schemas: readonly Placed[]): string | null {
    const place = schemas[0]?.place ?? '#';
    const parts = this.ways.parts.gather(schemas);
    if (!parts) return this.nothing(place);
    if ([...parts.keys()].every((schema) => Object.keys(schema).length === 0)) return this.json.any;
    const key = this.ways.parts.key(parts);
    if (this.dead.has(key)) return this.nothing(place, 'it has no value that ends.');
    const known = this.rules.get(key);
    if (known !== undefined) return known;
    if (++this.depth > MAX_DEPTH) throw new SchemaRefusal(place, 'it is nested too deep.');
    const outer = this.needing;
    const name = this.json.rules.reserve();
    this.rules.set(key, name);
    this.needs.set(name, []);
    const choices = this.choices(parts, name);
    if (choices.length === 0) this.rules.set(key, this.nothing(place));
    else this.json.rules.define(name, this.json.rules.either(choices));
    this.needing = outer;
    this.depth--;
    return this.rules.get(key)!;
  }

  private choices(parts: Parts, name: string): string[] {
    return this.ways.of(parts).flatMap((way) => {
      const constants = this.ways.constants(way);
      if (constants) {
        if (constants.length > 0) this.needs.get(name)!.push([]);
        return constants.map((value) => this.json.constant(value));
      }
      return (this.ways.types(way) ?? ALL_TYPES).flatMap((type) => {
        this.needing = [];
        const body = this.ofType(type, way);
        if (body === null) return [];
        this.needs.get(name)!.push(this.needing);
        return body;
      });
    });
  }

  private ofType(type: JsonType, way: Parts): string | null {
    const schemas = [...way.keys()];
    switch (type) {
      case 'object':
        return new ObjectRules(this.json, schemas, this).body();
      case 'array':
        return new ArrayRules(this.json, schemas, this).body();
      case 'string':
        return this.string(way);
      case 'number':
      case 'integer':
        return this.number(way, type === 'integer');
      case 'boolean':
        return this.json.boolean;
      case 'null':
        return this.json.null;
    }
  }

  private string(way: Parts): string | null {
    const range = this.ways.stringRange(way);
    const body = new StringRules(this.json, this.ways).body(range);
    if (body !== null) return body;
    const crossed = range.max !== null && range.max < range.min;
    const why = crossed ? '`maxLength` is less than `minLength`.' : 'no string is valid.';
    return this.nothing(this.ways.parts.placeOf(way), why);
  }

  private number(way: Parts, integer: boolean): string | null {
    const { min, max, multipleOf } = this.ways.numberRange(way);
    const place = this.ways.parts.placeOf(way);
    if (multipleOf.length > 0) {
      // What is written in decimal digits may be no multiple of the double nearest to a fraction.
      if (!multipleOf.every(Number.isInteger)) this.inexact();
      try {
        const language = multiples(multipleOf, min, max, integer);
        if (language.isEmpty) return this.nothing(place, 'no number is between its bounds.');
        return languageRule(language, this.json.rules, plainSpelling);
      } catch (error) {
        if (!(error instanceof NoLanguageError)) throw error;
        this.inexact();
      }
    }
    if (min === null && max === null) return integer ? this.json.integer : this.json.number;
    const between = boundedNumber(min, max, integer);
    return between.length > 0
      ? this.json.rules.either(between)
      : this.nothing(place, 'no number is between its bounds.');
  }

  /** Rules that lead to no value however long it is: their parts' keys. */
  private endless(): Set<string> {
    const ending = new Set<string>();
    const ends = (rule: string): boolean => ending.has(rule) || !this.needs.has(rule);
    let before: number;
    do {
      before = ending.size;
      for (const [rule, ways] of this.needs) if (ways.some((needed) => needed.every(ends))) ending.add(rule);
    } while (ending.size > before);
    return new Set([...this.rules].filter(([, rule]) => rule !== null && !ends(rule)).map(([key]) => key));
  }
}
