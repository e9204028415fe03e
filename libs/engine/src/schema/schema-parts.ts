import { exclusive } from './schema-overlap.js';
import { isSchema, list, SchemaRefusal, type Schema } from './schema-keywords.js';

/** What one value must be valid against, all of it; each with those schemas that it stands for a part of. */
export type Parts = ReadonlyMap<Schema, ReadonlySet<Schema>>;

/** A schema and where it stands. */
export interface Placed {
  schema: unknown;
  place: string;
}

interface Choice {
  /** Which keyword says that one of several holds. */
  key: 'anyOf' | 'oneOf' | 'if';
  options: Placed[][];
}

/** More ways to be valid than anybody means. */
const MAX_WAYS = 1000;

/**
 * Takes schemas apart: what `$ref` and `allOf` lead to holds beside everything else, and of `anyOf`, `oneOf` and `if` each
 * option is a way of its own to be valid. A schema that leads back to itself before it says anything of a value
 * has no value by that way.
 */
export class SchemaParts {
  private readonly ids = new Map<Schema, number>();
  private readonly places = new Map<Schema, string>();
  private readonly remainders = new Map<Schema, Schema>();

  constructor(
    private readonly root: Schema,
    /** The ways allow more than the schema. */
    private readonly inexact: () => void,
  ) {}

  /** All that schemas say together; null: they contradict each other without a look at any value. */
  gather(schemas: readonly Placed[]): Parts | null {
    const parts = new Map<Schema, ReadonlySet<Schema>>();
    return schemas.every((placed) => this.add(placed, parts, new Set())) ? parts : null;
  }

  /** The ways to be valid: parts without choices. */
  ways(parts: Parts): Parts[] {
    const ways = this.split(parts).slice(0, MAX_WAYS + 1);
    if (ways.length > MAX_WAYS) throw new SchemaRefusal(this.placeOf(parts), 'it has too many combinations.');
    return [...new Map(ways.map((way) => [this.key(way), way])).values()];
  }

  /** The same for the same schemas. */
  key(parts: Parts): string {
    const ids = Array.from(parts.keys(), (schema) => {
      const id = this.ids.get(schema) ?? this.ids.size;
      this.ids.set(schema, id);
      return id;
    });
    return ids.sort((a, b) => a - b).join();
  }

  at(schema: Schema): string {
    return this.places.get(schema) ?? '#';
  }

  placeOf(parts: Parts): string {
    const [first] = parts.keys();
    return first ? this.at(first) : '#';
  }

  /** What a JSON pointer in the schema leads to. */
  find(pointer: unknown, place: string): unknown {
    if (typeof pointer !== 'string') throw new SchemaRefusal(place, '`$ref` must be a string.');
    const id = this.root['$id'];
    const local = typeof id === 'string' && pointer.startsWith(`${id}#`) ? pointer.slice(id.length) : pointer;
    if (pointer === id) return this.root;
    if (/^#[A-Za-z_]/.test(local)) return this.anchored(local.slice(1), this.root) ?? this.nowhere(pointer, place);
    if (local !== '#' && !local.startsWith('#/')) {
      throw new SchemaRefusal(place, `\`$ref\` ${JSON.stringify(pointer)} is not inside the schema.`);
    }
    let found: unknown = this.root;
    for (const part of local.split('/').slice(1)) {
      const key = unescaped(part);
      found = key !== null && Object.hasOwn(Object(found), key) ? (found as Schema)[key] : undefined;
    }
    return found ?? this.nowhere(pointer, place);
  }

  private nowhere(pointer: string, place: string): never {
    throw new SchemaRefusal(place, `\`$ref\` ${JSON.stringify(pointer)} leads nowhere.`);
  }

  private anchored(name: string, within: unknown): unknown {
    if (typeof within !== 'object' || within === null) return undefined;
    if ((within as Schema)['$anchor'] === name) return within;
    for (const value of Object.values(within)) {
      const found = this.anchored(name, value);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** False where nothing is valid. */
  private add({ schema, place }: Placed, parts: Map<Schema, ReadonlySet<Schema>>, above: ReadonlySet<Schema>): boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isSchema(schema)) throw new SchemaRefusal(place, 'it is not a schema.');
    if (above.has(schema)) return false;
    if (parts.has(schema)) return true;
    if (!this.places.has(schema)) this.places.set(schema, place);
    parts.set(schema, above);
    for (const key of ['$dynamicRef', '$recursiveRef']) {
      if (schema[key] !== undefined) throw new SchemaRefusal(place, `\`${key}\` is not supported.`);
    }
    if (schema['not'] === true || (isSchema(schema['not']) && Object.keys(schema['not']).length === 0)) return false;
    // References in there begin from another place: whether they were followed rightly shows in the answer.
    if (schema !== this.root && typeof schema['$id'] === 'string') this.inexact();
    const inside = new Set([...above, schema]);
    const { $ref: pointer } = schema;
    const all = (list(schema, 'allOf', place) ?? []).map((part, i) => ({ schema: part, place: `${place}/allOf/${i}` }));
    if (pointer !== undefined) all.unshift({ schema: this.find(pointer, place), place: String(pointer) });
    return all.every((part) => this.add(part, parts, inside));
  }

  private split(parts: Parts, depth = 0): Parts[] {
    for (const [schema, above] of parts) {
      const choice = this.choiceOf(schema);
      if (!choice) continue;
      const apart = choice.key === 'anyOf' || (choice.key === 'oneOf' && this.excludes(schema));
      if (!apart) this.inexact();
      if (depth > 100) throw new SchemaRefusal(this.at(schema), 'it is nested too deep.');
      const inside = new Set([...above, schema]);
      const rest = new Map(parts);
      rest.delete(schema);
      rest.set(this.without(schema, choice.key), inside);
      const ways: Parts[] = [];
      for (const option of choice.options) {
        const more = new Map(rest);
        // What was chosen from already holds: it need not be gathered again, except by itself, which leads nowhere.
        if (option.every((placed) => this.add(placed, more, inside))) ways.push(...this.split(more, depth + 1));
        if (ways.length > MAX_WAYS) break;
      }
      return ways;
    }
    return [parts];
  }

  private choiceOf(schema: Schema): Choice | null {
    const place = this.at(schema);
    for (const key of ['anyOf', 'oneOf'] as const) {
      const options = list(schema, key, place);
      if (options)
        return { key, options: options.map((option, i) => [{ schema: option, place: `${place}/${key}/${i}` }]) };
    }
    if (schema['if'] === undefined) return null;
    const branch = (key: string): Placed => ({ schema: schema[key] ?? true, place: `${place}/${key}` });
    const options = [[branch('if'), branch('then')], [branch('else')]];
    // One that is decided leaves the other branch no value.
    const decided = schema['if'] === true ? options.slice(0, 1) : schema['if'] === false ? options.slice(1) : options;
    return { key: 'if', options: decided };
  }

  private excludes(schema: Schema): boolean {
    return exclusive(schema['oneOf'] as unknown[], (pointer) => this.find(pointer, this.at(schema)));
  }

  private without(schema: Schema, key: Choice['key']): Schema {
    let rest = this.remainders.get(schema);
    if (!rest) {
      rest = Object.fromEntries(
        Object.entries(schema).filter(([name]) => name !== key && name !== '$ref' && name !== 'allOf'),
      );
      this.remainders.set(schema, rest);
      this.places.set(rest, this.at(schema));
    }
    return rest;
  }
}

function unescaped(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}
