import type { JsonGrammar } from '../grammar/json-grammar.js';
import { Language } from '../grammar/language.js';
import { count, list, record, SchemaRefusal, type Schema } from './schema-keywords.js';
import type { Placed } from './schema-parts.js';
import { StringRules } from './string-rules.js';
import type { SchemaValues } from './schema-values.js';

/** What the schemas of one object say of its members, together. */
export class ObjectRules {
  private readonly place: string;

  constructor(
    private readonly json: JsonGrammar,
    private readonly schemas: readonly Schema[],
    private readonly values: SchemaValues,
  ) {
    this.place = schemas[0] ? values.at(schemas[0]) : '#';
  }

  /**
   * Members come in the order of `properties`, and objects that name members have no others. Null: there is no such object.
   */
  body(): string | null {
    const keys = this.keys();
    const required = new Set(
      this.schemas.flatMap((schema) => (list(schema, 'required', this.place, true) ?? []).map(String)),
    );
    const named = this.schemas.flatMap((schema) => Object.keys(record(schema, 'properties', this.place)));
    const names = [...new Set([...named, ...required, ...(named.length === 0 ? (keys?.words ?? []) : [])])];
    const [min, max] = this.counts();
    if (max !== null && max < Math.max(min, required.size))
      return this.values.nothing(this.place, '`maxProperties` is less than there must be.');
    if (names.length === 0) return this.open(keys?.language ?? null, min, max);
    const members = names.flatMap((name) => {
      const allowed = !keys || keys.language.has(name);
      const value = allowed
        ? required.has(name)
          ? this.values.needed(this.ofMember(name))
          : this.values.optional(this.ofMember(name))
        : null;
      return value === null ? [] : [{ name, value, required: required.has(name) }];
    });
    if (members.filter((member) => member.required).length < required.size)
      return this.values.nothing(this.place, 'nothing is valid for a member that is required.');
    return this.closed(members, required.size, min, max);
  }

  /** Of members that may be there as many as must be there are, and no more than may be. */
  private closed(
    members: { name: string; value: string; required: boolean }[],
    needed: number,
    min: number,
    max: number | null,
  ): string | null {
    let more = min - needed;
    const filled = members.map((member) => ({ ...member, required: member.required || more-- > 0 }));
    if (more > 0)
      return this.values.nothing(this.place, "`minProperties` can't be kept by the members that are named.");
    let room = (max ?? Infinity) - filled.filter(({ required }) => required).length;
    return this.json.record(filled.filter(({ required }) => required || room-- > 0));
  }

  private open(keys: Language | null, min: number, max: number | null): string | null {
    const patterns = [
      ...new Set(this.schemas.flatMap((schema) => Object.keys(record(schema, 'patternProperties', this.place)))),
    ];
    const kinds = (patterns.length > 0 ? this.patterned(patterns, keys) : this.other(keys)).flatMap(
      ({ language, schemas }) => {
        const name = language ? new StringRules(this.json, this.values.ways).ofLanguage(language) : this.json.string;
        const value = this.values.optional(schemas);
        return language?.isEmpty || value === null ? [] : [{ name, value }];
      },
    );
    if (kinds.length === 0)
      return min > 0 ? this.values.nothing(this.place, "`minProperties` can't be kept.") : this.json.record([]);
    // A key may come twice and counts once.
    if (min > 1) this.values.ways.inexact();
    return this.json.map(kinds, min, max);
  }

  private other(language: Language | null): { language: Language | null; schemas: Placed[] }[] {
    return [{ language, schemas: this.schemas.flatMap((schema) => this.rest(schema)) }];
  }

  /** Keys that one of the patterns matches, and no other. */
  private patterned(patterns: string[], keys: Language | null): { language: Language; schemas: Placed[] }[] {
    const read = patterns.map((source) => {
      const { language } = this.values.ways.strings.read(source, this.place);
      if (language) return { source, language };
      throw new SchemaRefusal(this.place, `\`patternProperties\` with ${JSON.stringify(source)} is not supported.`);
    });
    return read.map(({ source, language }) => ({
      language: read.reduce(
        (rest, other) => (other.source === source ? rest : rest.and(other.language.not())),
        keys ? language.and(keys) : language,
      ),
      schemas: this.schemas.flatMap((schema) => {
        const value = record(schema, 'patternProperties', this.place)[source];
        return value === undefined
          ? this.rest(schema)
          : [{ schema: value, place: `${this.values.at(schema)}/patternProperties/${source}` }];
      }),
    }));
  }

  private ofMember(name: string): Placed[] {
    return this.schemas.flatMap((schema) => {
      const at = this.values.at(schema);
      const own = record(schema, 'properties', at);
      const placed = Object.hasOwn(own, name) ? [{ schema: own[name], place: `${at}/properties/${name}` }] : [];
      for (const [source, value] of Object.entries(record(schema, 'patternProperties', at))) {
        if (this.values.ways.strings.matches(source, name, at))
          placed.push({ schema: value, place: `${at}/patternProperties/${source}` });
      }
      return placed.length > 0 ? placed : this.rest(schema);
    });
  }

  private rest(schema: Schema): Placed[] {
    const at = this.values.at(schema);
    const value = schema['additionalProperties'];
    return value === undefined ? [] : [{ schema: value, place: `${at}/additionalProperties` }];
  }

  private keys(): { language: Language; words: string[] | null } | null {
    const said = this.schemas.filter((schema) => schema['propertyNames'] !== undefined);
    if (said.length === 0) return null;
    return this.values.ways.texts(
      said.map((schema) => ({ schema: schema['propertyNames'], place: `${this.values.at(schema)}/propertyNames` })),
    );
  }

  private counts(): [number, number | null] {
    const all = (key: string): number[] => this.schemas.flatMap((schema) => count(schema, key, this.place) ?? []);
    const most = all('maxProperties');
    return [Math.max(0, ...all('minProperties')), most.length > 0 ? Math.min(...most) : null];
  }
}
