import { RuleBook, alternatives, literal, times } from './rule-book.js';

const TAIL = '[\\x80-\\xbf]';

/** Well-formed UTF-8 beyond ASCII, by byte (Unicode Standard, table 3-7). */
const BEYOND_ASCII = [
  `[\\xc2-\\xdf] ${TAIL}`,
  `[\\xe0-\\xe1] [\\xa0-\\xbf] ${TAIL}`,
  `[\\xe1-\\xec\\xee-\\xef] ${TAIL} ${TAIL}`,
  `[\\xec-\\xed] [\\x80-\\x9f] ${TAIL}`,
  `[\\xf0-\\xf1] [\\x90-\\xbf] ${TAIL} ${TAIL}`,
  `[\\xf1-\\xf3] ${TAIL} ${TAIL} ${TAIL}`,
  `[\\xf3-\\xf4] [\\x80-\\x8f] ${TAIL} ${TAIL}`,
];

// Surrogates are left out, so that one character of the grammar is one character for a schema's length limits.
const ESCAPE = '"\\\\" (["\\\\/bfnrt] | "u" ([0-9a-cA-CeEfF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}))';

/** Digits that a double keeps apart. */
export const EXACT_DIGITS = 15;

/**
 * JSON as rules. Between two tokens there may be nothing, a space, or a line break with indentation: bounded, since a
 * model that may write blanks for ever sometimes does.
 */
export class JsonGrammar {
  readonly rules = new RuleBook();
  /** Optional white space. */
  readonly gap = this.rules.rule('"" | " " | "\\n" " "{0,32}');
  readonly char = this.rules.rule(
    ['[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7f]', this.rules.rule(BEYOND_ASCII.join(' | ')), ESCAPE].join(' | '),
  );
  readonly string = this.rules.rule(`"\\"" ${this.char}* "\\""`);
  readonly boolean = this.rules.rule('"true" | "false"');
  readonly null = this.rules.rule('"null"');
  readonly digits = this.rules.rule(`"0" | [1-9] [0-9]{0,${EXACT_DIGITS - 1}}`);
  /** 18 digits hold any identifier of 60 bits. */
  readonly integer = this.rules.rule('"-"? ("0" | [1-9] [0-9]{0,17})');
  /** Always finite as a double. */
  readonly number = this.rules.rule(`"-"? ${this.digits} ("." [0-9]{1,${EXACT_DIGITS}})? ([eE] [+\\-]? [0-9]{1,2})?`);
  readonly any: string;
  readonly object: string;

  constructor() {
    this.any = this.rules.reserve();
    this.object = this.rules.rule(this.map(this.any, 0, null));
    const array = this.rules.rule(this.array([], this.any, 0, null));
    const { string, number, boolean } = this;
    this.rules.define(this.any, [this.object, array, string, number, boolean, this.null].join(' | '));
  }

  /** Exactly this value, in the spelling of JSON.stringify. */
  constant(value: unknown): string {
    return literal(JSON.stringify(value));
  }

  /** An object of any keys. */
  map(value: string, min: number, max: number | null): string {
    return this.enclosed('{', '}', this.list(this.rules.rule(this.member(this.string, value)), min, max));
  }

  /** `first`, then items of one kind; null: none. `min` and `max` count all of them, and `min` is at least `first`. */
  array(first: string[], rest: string | null, min: number, max: number | null): string {
    if (first.length === 0) return this.enclosed('[', ']', rest === null ? '' : this.list(rest, min, max));
    const more = rest === null ? '' : this.more(rest, min - first.length, max === null ? null : max - first.length);
    return this.enclosed('[', ']', `${first.join(` ${this.comma} `)} ${more}`);
  }

  /** An object of these members, in this order. */
  record(members: { name: string; value: string; required: boolean }[]): string {
    // Two chains of rules: what may follow once a member was written, and before.
    let after = '""';
    let before = '""';
    for (const { name, value, required } of [...members].reverse()) {
      const member = this.rules.rule(this.member(this.constant(name), value));
      const rest = this.rules.rule(after);
      const without = this.rules.rule(before);
      after = `${this.comma} ${member} ${rest}` + (required ? '' : ` | ${rest}`);
      before = `${member} ${rest}` + (required ? '' : ` | ${without}`);
    }
    return this.enclosed('{', '}', this.rules.rule(before));
  }

  private get comma(): string {
    return this.rules.rule(`"," ${this.gap}`);
  }

  private member(name: string, value: string): string {
    return `${name} ":" ${this.gap} ${value}`;
  }

  private list(item: string, min: number, max: number | null): string {
    if (max === 0) return '';
    const items = `${item} ${this.more(item, Math.max(min - 1, 0), max === null ? null : max - 1)}`;
    return min > 0 ? items : alternatives(['""', items]);
  }

  private more(item: string, min: number, max: number | null): string {
    if (max === 0) return '';
    return times(this.rules.rule(`${this.comma} ${item}`), min, max);
  }

  private enclosed(open: string, close: string, inside: string): string {
    return `"${open}" ${this.gap} ${inside} ${this.gap} "${close}"`;
  }
}
