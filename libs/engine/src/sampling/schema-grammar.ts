import { JsonGrammar } from './json-grammar.js';
import { boundedNumber, type Bound } from './number-grammar.js';
import { times } from './rule-book.js';
import {
  checkKeywords,
  isOfType,
  isSchema,
  SchemaRefusal,
  typesOf,
  wholeKeyword,
  type JsonType,
  type Schema,
} from './schema-keywords.js';
import { exclusive } from './schema-overlap.js';
import { STRING_FORMATS } from './string-formats.js';

const MAX_COUNT = 10_000;
const MAX_DEPTH = 100;

/**
 * Rules for the values of a JSON schema. Whatever they generate is valid, but not all that is valid is generated:
 * members come in the order of `properties`, and objects that name properties get no others. A keyword that can't be
 * kept is refused by name.
 */
export class SchemaGrammar {
  private readonly references = new Map<string, string>();
  private depth = 0;

  constructor(
    private readonly json: JsonGrammar,
    private readonly root: Schema,
  ) {}

  /** Rule of the schema's values. */
  compile(): string {
    return this.value(this.root, '#');
  }

  private value(schema: unknown, place: string): string {
    if (schema === true) return this.json.any;
    if (!isSchema(schema))
      throw new SchemaRefusal(place, schema === false ? 'nothing is valid.' : 'it is not a schema.');
    checkKeywords(schema, place);
    if (++this.depth > MAX_DEPTH) throw new SchemaRefusal(place, 'it is nested too deep.');
    const rule = this.json.rules.rule(this.json.rules.either(this.choices(schema, place)));
    this.depth--;
    return rule;
  }

  private choices(schema: Schema, place: string): string[] {
    const types = typesOf(schema, place);
    const key = wholeKeyword(schema);
    switch (key) {
      case null:
        return types === null ? [this.json.any] : types.map((type) => this.ofType(type, schema, place));
      case '$ref':
        return [this.reference(schema['$ref'], place)];
      case 'const':
        return this.constants([schema['const']], types, `${place}/const`);
      case 'enum':
        return this.constants(list(schema, 'enum', place), types, `${place}/enum`);
      default:
        return this.combined(key, schema, place);
    }
  }

  private combined(key: 'anyOf' | 'oneOf' | 'allOf', schema: Schema, place: string): string[] {
    const parts = list(schema, key, place);
    if (key === 'allOf' && parts.length > 1) {
      throw new SchemaRefusal(place, '`allOf` of more than one schema is not supported.');
    }
    if (key === 'oneOf' && !exclusive(parts, (pointer) => this.find(pointer, place))) {
      throw new SchemaRefusal(
        place,
        '`oneOf` is supported only where types or constant members tell its schemas apart.',
      );
    }
    const type = schema['type'];
    return parts.map((part, i) => {
      // A type beside the parts is the type of each that names none.
      const typed = type !== undefined && isSchema(part) && wholeKeyword(part) === null ? { type, ...part } : part;
      return this.value(typed, `${place}/${key}/${i}`);
    });
  }

  private constants(values: unknown[], types: JsonType[] | null, place: string): string[] {
    const valid = values.filter((value) => isOfType(value, types));
    if (valid.length === 0) throw new SchemaRefusal(place, 'no value is of the type.');
    return valid.map((value) => this.json.constant(value));
  }

  private reference(pointer: unknown, place: string): string {
    if (typeof pointer !== 'string') throw new SchemaRefusal(place, '`$ref` must be a string.');
    const known = this.references.get(pointer);
    if (known) return known;
    const name = this.json.rules.reserve();
    this.references.set(pointer, name);
    this.json.rules.define(name, this.value(this.find(pointer, place), pointer));
    return name;
  }

  private find(pointer: string, place: string): unknown {
    if (pointer !== '#' && !pointer.startsWith('#/')) {
      throw new SchemaRefusal(place, `\`$ref\` ${JSON.stringify(pointer)} is not inside the schema.`);
    }
    let found: unknown = this.root;
    for (const part of pointer.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      found =
        (isSchema(found) || Array.isArray(found)) && Object.hasOwn(found, key) ? (found as Schema)[key] : undefined;
    }
    if (found === undefined) throw new SchemaRefusal(place, `\`$ref\` ${JSON.stringify(pointer)} leads nowhere.`);
    return found;
  }

  private ofType(type: JsonType, schema: Schema, place: string): string {
    switch (type) {
      case 'object':
        return this.object(schema, place);
      case 'array':
        return this.array(schema, place);
      case 'string':
        return this.string(schema, place);
      case 'number':
      case 'integer':
        return this.number(schema, type === 'integer', place);
      case 'boolean':
        return this.json.boolean;
      case 'null':
        return this.json.null;
    }
  }

  private object(schema: Schema, place: string): string {
    const properties = schema['properties'] ?? {};
    if (!isSchema(properties)) throw new SchemaRefusal(place, '`properties` must be an object.');
    const required = schema['required'] === undefined ? [] : list(schema, 'required', place);
    const names = [...new Set([...Object.keys(properties), ...required.map(String)])];
    const { min, max } = counts(schema, 'minProperties', 'maxProperties', place);
    const rest = schema['additionalProperties'] ?? true;
    if (names.length === 0) {
      // A key may come twice and counts once.
      if (min > 1 || (rest === false && min > 0)) throw new SchemaRefusal(place, "`minProperties` can't be kept.");
      if (rest === false) return this.json.record([]);
      return this.json.map(this.value(rest, `${place}/additionalProperties`), min, max);
    }
    if (min > required.length || (max !== null && max < names.length)) {
      throw new SchemaRefusal(place, '`minProperties` and `maxProperties` are not supported beside `properties`.');
    }
    const members = names.map((name) => {
      const named = Object.hasOwn(properties, name);
      const at = named ? `${place}/properties/${name}` : `${place}/additionalProperties`;
      return { name, value: this.value(named ? properties[name] : rest, at), required: required.includes(name) };
    });
    return this.json.record(members);
  }

  private array(schema: Schema, place: string): string {
    const { min, max } = counts(schema, 'minItems', 'maxItems', place);
    // Up to draft 7 a list of `items` was what is now `prefixItems`.
    const old = Array.isArray(schema['items']);
    const prefix = (old ? schema['items'] : (schema['prefixItems'] ?? [])) as unknown;
    if (!Array.isArray(prefix)) throw new SchemaRefusal(place, '`prefixItems` must be a list.');
    const rest = (old ? schema['additionalItems'] : schema['items']) ?? true;
    const first = prefix.slice(0, max ?? undefined).map((item, i) => this.value(item, `${place}/prefixItems/${i}`));
    const none = rest === false || max === first.length;
    if (none && min > first.length) throw new SchemaRefusal(place, '`minItems` is more than there can be.');
    const more = none ? null : this.value(rest, `${place}/items`);
    return this.json.array(first, more, Math.max(min, first.length), max);
  }

  private string(schema: Schema, place: string): string {
    const { min, max } = counts(schema, 'minLength', 'maxLength', place);
    const format = Object.hasOwn(STRING_FORMATS, String(schema['format']))
      ? STRING_FORMATS[String(schema['format'])]
      : null;
    if (format) {
      if (min > 0 || max !== null) throw new SchemaRefusal(place, '`format` beside a length is not supported.');
      return `"\\"" ${format} "\\""`;
    }
    if (min === 0 && max === null) return this.json.string;
    return `"\\"" ${times(this.json.char, min, max)} "\\""`;
  }

  private number(schema: Schema, integer: boolean, place: string): string {
    const min = bound(schema, 'minimum', 'exclusiveMinimum', Math.max, place);
    const max = bound(schema, 'maximum', 'exclusiveMaximum', Math.min, place);
    if (min === null && max === null) return integer ? this.json.integer : this.json.number;
    const between = boundedNumber(min, max, integer);
    if (between.length === 0) throw new SchemaRefusal(place, 'no number is between its bounds.');
    return this.json.rules.either(between);
  }
}

function list(schema: Schema, key: string, place: string): unknown[] {
  const value = schema[key];
  if (Array.isArray(value) && (value.length > 0 || key === 'required')) return value;
  throw new SchemaRefusal(place, `\`${key}\` must be a list that is not empty.`);
}

function counts(schema: Schema, low: string, high: string, place: string): { min: number; max: number | null } {
  const count = (key: string): number | null => {
    const value = schema[key];
    if (value === undefined) return null;
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT) return value as number;
    throw new SchemaRefusal(place, `\`${key}\` must be an integer from 0 to ${MAX_COUNT}.`);
  };
  const [min, max] = [count(low) ?? 0, count(high)];
  if (max !== null && max < min) throw new SchemaRefusal(place, `\`${high}\` is less than \`${low}\`.`);
  return { min, max };
}

function bound(
  schema: Schema,
  key: string,
  exclusiveKey: string,
  tighter: (a: number, b: number) => number,
  place: string,
): Bound | null {
  const read = (name: string): number | null => {
    const value = schema[name];
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new SchemaRefusal(place, `\`${name}\` must be a number.`);
  };
  const [inclusive, exclusive] = [read(key), read(exclusiveKey)];
  if (exclusive !== null && (inclusive === null || tighter(inclusive, exclusive) === exclusive)) {
    return { value: exclusive, exclusive: true };
  }
  return inclusive === null ? null : { value: inclusive, exclusive: false };
}
