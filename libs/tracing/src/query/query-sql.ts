import { ValidationError } from '@heddle/http';

/** Places in documents and conversions of one request; each place costs a parse of the document per row. */
export const MAX_JOINS = 50;

/** U+0000 and lone surrogates look in the `_search` columns as they do here, so that they can still be found. */
export const searchableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');

/** The aliases' columns: `type` (json_typeof), `text` (as `->>` gives it) and `number`, null where they don't apply. */
export type PlaceAlias = string;

/**
 * Collects the parameters of one statement, and what it works out for each row before conditions and sort keys look at
 * it. Each of these values is a lateral join of its own: worked out once, however often it is mentioned.
 */
export class QuerySql {
  readonly values: unknown[] = [];
  private readonly lateral: string[] = [];
  private readonly made = new Map<string, string>();
  private aliases = 0;

  /** The only way for a value to get into a statement. */
  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /** What is at a path in a document. @param json SQL of type json */
  place(json: string, path: readonly string[]): PlaceAlias {
    const make = (): string => this.join(place(json, this.bind(path.map(searchableText), 'text[]')));
    return this.once(JSON.stringify([json, path]), make);
  }

  /** What was made before under that key, so that whatever is mentioned twice is worked out once. */
  once(key: string, make: () => string): string {
    const made = this.made.get(key) ?? make();
    this.made.set(key, made);
    return made;
  }

  /** Names an expression. One that is repeated wherever it is mentioned would make nested ones grow without bound. */
  derived(expression: string): string {
    return this.once(expression, () => `${this.join(`SELECT ${expression} AS value OFFSET 0`)}.value`);
  }

  /** As bind, for a value that may be mentioned nowhere in the end: PostgreSQL refuses a parameter without a place. */
  constant(value: string | string[], type: string): string {
    return this.once(JSON.stringify([type, value]), () => this.derived(this.bind(value, type)));
  }

  /** A name that nothing else in the statement has. */
  newAlias(prefix: string): string {
    return `${prefix}${this.aliases++}`;
  }

  /** Goes after `FROM calls c`. */
  joins(): string {
    return this.lateral.join('\n');
  }

  private join(subquery: string): string {
    if (this.lateral.length === MAX_JOINS) {
      const msg = `more than ${MAX_JOINS} different payload fields and conversions`;
      throw ValidationError.at(['body'], msg, 'query_too_large');
    }
    const alias = `v${this.lateral.length}`;
    this.lateral.push(`CROSS JOIN LATERAL (${subquery}) AS ${alias}`);
    return alias;
  }
}

/** OFFSET 0 keeps the planner from inlining the subqueries, and so from parsing at each mention. */
const place = (json: string, path: string): string => `
  SELECT json_typeof(v) AS type, v #>> '{}' AS text,
    CASE WHEN json_typeof(v) = 'number' THEN ${numberOf("(v #>> '{}')")} END AS number
  FROM (
    SELECT ${json} #> ${path} AS v OFFSET 0
  ) AS found
  OFFSET 0`;

/** Text as a number, or null: a cast alone fails on what isn't one, and on what `numeric` is too small for. */
export const numberOf = (text: string): string =>
  `CASE WHEN length(${text}) <= 400 AND ${text} ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$' ` +
  `THEN ${text}::numeric END`;
