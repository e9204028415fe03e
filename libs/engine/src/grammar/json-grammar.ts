import { beyondAscii, literal } from './coded-text.js';
import { RuleBook, alternatives, times } from './rule-book.js';

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
    [
      '[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7f]',
      this.rules.rule(this.rules.either(beyondAscii(0x80, 0x10ffff))),
      ESCAPE,
    ].join(' | '),
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
    this.object = this.rules.rule(this.map([{ name: this.string, value: this.any }], 0, null));
    const array = this.rules.rule(this.array([], this.any, 0, null));
    const { string, number, boolean } = this;
    this.rules.define(this.any, [this.object, array, string, number, boolean, this.null].join(' | '));
  }

  /** Exactly this value, in the spelling of JSON.stringify. */
  constant(value: unknown): string {
    return literal(JSON.stringify(value));
  }

  /** An object of any number of members of these kinds. */
  map(kinds: readonly { name: string; value: string }[], min: number, max: number | null): string {
    const members = kinds.map(({ name, value }) => this.member(name, value));
    return this.enclosed('{', '}', this.list(this.rules.rule(this.rules.either(members)), min, max));
  }

  /** An array of some of these, each at most once, in any order. */
  distinct(items: readonly string[], min: number, max: number): string {
    const known = new Map<string, string>();
    const from = (left: readonly number[]): string => {
      const taken = items.length - left.length;
      const name = known.get(left.join()) ?? this.rules.reserve();
      if (known.has(left.join())) return name;
      known.set(left.join(), name);
      const next = left.map(
        (i) => `${taken > 0 ? `${this.comma} ` : ''}${items[i]!} ${from(left.filter((j) => j !== i))}`,
      );
      this.rules.define(name, this.rules.either([...(taken >= min ? ['""'] : []), ...(taken < max ? next : [])]));
      return name;
    };
    return this.enclosed('[', ']', from([...items.keys()]));
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
