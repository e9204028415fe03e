import { EngineError } from '../protocol/engine.errors.js';

const MAX_LENGTH = 200_000;

/**
 * Rules of a grammar in the notation of GBNF, of ASCII alone (see coded-text.ts). Equal bodies become one rule. They are
 * written around a fault of the grammar library (0.1.27): it may merge alternatives of one rule that begin alike into
 * something that accepts more than they do, so alternatives must differ in their first character or come from `either`.
 */
export class RuleBook {
  private readonly names = new Map<string, string>();
  private readonly lines: string[] = [];
  private length = 0;
  private next = 0;

  /** Adds a rule and returns the name to refer to it by. */
  rule(body: string): string {
    const known = this.names.get(body);
    if (known) return known;
    const name = this.reserve();
    this.names.set(body, name);
    this.define(name, body);
    return name;
  }

  /** One of these, which may begin alike: each is a rule that the library doesn't inline, since it refers to another. */
  either(choices: readonly string[]): string {
    if (choices.length === 1) return choices[0]!;
    const nothing = this.rule('""');
    return `(${choices.map((choice) => this.rule(`${choice} ${nothing}`)).join(' | ')})`;
  }

  /** A name for a rule that refers to itself; `define` follows. */
  reserve(): string {
    return `r${this.next++}`;
  }

  define(name: string, body: string): void {
    this.length += body.length;
    if (this.length > MAX_LENGTH) {
      throw new EngineError('invalid_request', 'The JSON schema is too large to be enforced.', 'response_format');
    }
    this.lines.push(`${name} ::= ${body}`);
  }

  toString(): string {
    return this.lines.join('\n');
  }
}

/** One of these, which begin with different characters. */
export function alternatives(choices: readonly string[]): string {
  return choices.length === 1 ? choices[0]! : `(${choices.join(' | ')})`;
}

export function times(item: string, min: number, max: number | null): string {
  return max === null ? (min === 0 ? `${item}*` : `${item}{${min},}`) : `${item}{${min},${max}}`;
}
