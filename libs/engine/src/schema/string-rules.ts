import type { JsonGrammar } from '../grammar/json-grammar.js';
import { Language, NoLanguageError } from '../grammar/language.js';
import { jsonSpelling, languageRule } from '../grammar/language-rules.js';
import { patternRule } from '../grammar/pattern-rules.js';
import { times } from '../grammar/rule-book.js';
import type { StringPattern, StringRange } from './schema-strings.js';
import type { SchemaWays } from './schema-ways.js';

/** Rules of JSON strings. */
export class StringRules {
  constructor(
    private readonly json: JsonGrammar,
    private readonly ways: SchemaWays,
  ) {}

  /** Null: there is no such string. */
  body(range: StringRange): string | null {
    const inside = this.inside(range);
    return inside === null ? null : this.quoted(inside);
  }

  /** A string of a language; checked where that takes too many rules. */
  ofLanguage(language: Language): string {
    return this.quoted(this.spelled(language) ?? this.loosely(`${this.json.char}*`));
  }

  private inside(range: StringRange): string | null {
    const { patterns, forbidden, min, max } = range;
    if (max !== null && max < min) return null;
    if (patterns.length === 0 && forbidden.length === 0) return times(this.json.char, min, max);
    const built = this.built(range);
    if (built !== null) return built;
    const language = orNull(() => this.ways.strings.language(range));
    if (language?.isEmpty) return null;
    const spelled = language && this.spelled(language);
    if (spelled) return spelled;
    // Lengths multiply states.
    const ofAnyLength = orNull(() => this.ways.strings.language({ ...range, min: 0, max: null }));
    const longer = ofAnyLength && this.spelled(ofAnyLength);
    if (longer) return this.loosely(longer);
    const first = patterns.map(({ source }) => this.pattern(source)).find((rule) => rule !== null);
    return this.loosely(first ?? times(this.json.char, min, max));
  }

  /** From the one of the patterns that says all that there is to say. */
  private built({ patterns, forbidden, min, max }: StringRange): string | null {
    const isFree = forbidden.length === 0 && min === 0 && max === null;
    const [only] = patterns;
    if (only && patterns.length === 1 && forbidden.length === 0) {
      return patternRule(only.source, this.json.rules, jsonSpelling, isFree ? null : { min, max });
    }
    const tightest =
      isFree && patterns.find((pattern) => patterns.every((other) => other === pattern || includes(other, pattern)));
    return tightest ? this.pattern(tightest.source) : null;
  }

  private pattern(source: string): string | null {
    return patternRule(source, this.json.rules, jsonSpelling, null);
  }

  private spelled(language: Language): string | null {
    return orNull(() => languageRule(language, this.json.rules, jsonSpelling));
  }

  private loosely(rule: string): string {
    this.ways.inexact();
    return rule;
  }

  private quoted(rule: string): string {
    return `"\\"" ${rule} "\\""`;
  }
}

const includes = (wide: StringPattern, narrow: StringPattern): boolean =>
  orNull(() => Boolean(wide.language && narrow.language && wide.language.includes(narrow.language))) === true;

/** Null where that takes too many states. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoLanguageError) return null;
    throw error;
  }
}
