import { Language, NoLanguageError } from '../grammar/language.js';
import { patternLanguage } from '../grammar/pattern-language.js';
import { linearPattern } from './schema-check.js';
import { count, forbiddenValues, SchemaRefusal, type Schema } from './schema-keywords.js';
import { STRING_FORMATS } from './string-formats.js';

/** A pattern or a format. */
export interface StringPattern {
  source: string;
  /** Null: it takes too many states, or none read it. */
  language: Language | null;
}

/** What schemas say of a string, together. */
export interface StringRange {
  patterns: StringPattern[];
  forbidden: string[];
  min: number;
  max: number | null;
}

/** Languages of strings, as the schemas of one request speak about them. */
export class SchemaStrings {
  private readonly known = new Map<string, Language | null>();

  range(schemas: readonly Schema[], placeOf: (schema: Schema) => string): StringRange {
    const range: StringRange = { patterns: [], forbidden: [], min: 0, max: null };
    for (const schema of schemas) {
      const place = placeOf(schema);
      range.min = Math.max(range.min, count(schema, 'minLength', place) ?? 0);
      const most = count(schema, 'maxLength', place);
      range.max = most === null ? range.max : Math.min(range.max ?? most, most);
      for (const source of [...sourceOf(schema, place), ...formatOf(schema)]) {
        if (range.patterns.every((other) => other.source !== source)) range.patterns.push(this.read(source, place));
      }
      range.forbidden.push(...forbiddenValues(schema).filter((value) => typeof value === 'string'));
    }
    return range;
  }

  has({ patterns, forbidden, min, max }: StringRange, text: string): boolean {
    const length = [...text].length;
    if (length < min || length > (max ?? Infinity) || forbidden.includes(text)) return false;
    return patterns.every(({ source, language }) => language?.has(text) ?? linearPattern(source).test(text));
  }

  /** @throws NoLanguageError where that takes too many states, or a pattern is one that no automaton reads */
  language({ patterns, forbidden, min, max }: StringRange): Language {
    const all = patterns.map(({ language }) => {
      if (language) return language;
      throw new NoLanguageError('a pattern takes too many states');
    });
    if (min > 0 || max !== null) all.push(Language.ofLength(min, max));
    if (forbidden.length > 0) all.push(Language.ofWords(forbidden).not());
    return all.reduce((both, language) => both.and(language), Language.all);
  }

  matches(source: string, text: string, place: string): boolean {
    return this.read(source, place).language?.has(text) ?? linearPattern(source).test(text);
  }

  /** @throws SchemaRefusal for a pattern that can't be checked either */
  read(source: string, place: string): StringPattern {
    let language = this.known.get(source);
    if (language === undefined) this.known.set(source, (language = languageOf(source, place)));
    return { source, language };
  }
}

function languageOf(source: string, place: string): Language | null {
  try {
    return patternLanguage(source);
  } catch (error) {
    if (!(error instanceof NoLanguageError)) throw error;
  }
  try {
    linearPattern(source);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaRefusal(place, `\`pattern\` ${JSON.stringify(source)} is not supported: ${reason}.`);
  }
}

function sourceOf({ pattern }: Schema, place: string): string[] {
  if (pattern === undefined) return [];
  if (typeof pattern === 'string') return [pattern];
  throw new SchemaRefusal(place, '`pattern` must be a string.');
}

function formatOf({ format }: Schema): string[] {
  if (typeof format !== 'string' || !Object.hasOwn(STRING_FORMATS, format)) return [];
  return [`^(?:${STRING_FORMATS[format]!})$`];
}
