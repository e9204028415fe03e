import { CharSet, DFA, NFA, TooManyNodesError, type NoParent, type ReadonlyDFA, type TransitionIterable } from 'refa';
import type { Concatenation } from 'refa';

export const CHARACTERS = { maxCharacter: 0x10ffff };
export const ANY_CHARACTER = CharSet.all(CHARACTERS.maxCharacter);

/** States of an automaton under way. More would take seconds. */
const MAX_STATES = 5000;

/** What no automaton of a bearable size reads. */
export class NoLanguageError extends Error {}

/** A set of texts that a finite automaton tells from all others, which it does in linear time. Any two can be combined. */
export class Language {
  static readonly all = new Language(DFA.all(CHARACTERS));
  static readonly none = new Language(DFA.empty(CHARACTERS));

  private constructor(readonly automaton: ReadonlyDFA) {}

  /** @throws NoLanguageError */
  static from<S>(states: TransitionIterable<S>): Language {
    return minimal(() => DFA.fromFA(states, limit()));
  }

  /** Texts that an expression without assertions matches, and behind them one of `rest`. @throws NoLanguageError */
  static sequence(expression: NoParent<Concatenation>, rest: Language): Language {
    return minimal(() => {
      const states = NFA.fromRegex(expression, CHARACTERS, {}, new NFA.LimitedNodeFactory(MAX_STATES));
      states.append(rest.automaton, new NFA.LimitedNodeFactory(MAX_STATES));
      return DFA.fromFA(states, limit());
    });
  }

  /** Texts of so many characters; null: however many. @throws NoLanguageError */
  static ofLength(min: number, max: number | null): Language {
    return minimal(() => {
      const states = NFA.fromCharSet(ANY_CHARACTER);
      states.quantify(min, max ?? Infinity, new NFA.LimitedNodeFactory(MAX_STATES));
      return DFA.fromFA(states, limit());
    });
  }

  static ofWords(words: readonly string[]): Language {
    const codes = words.map((word) => Array.from(word, (char) => char.codePointAt(0)!));
    return minimal(() => DFA.fromWords(codes, CHARACTERS, limit()));
  }

  and(other: Language): Language {
    if (this === Language.all) return other;
    return minimal(() => DFA.fromIntersection(this.automaton, other.automaton, limit()));
  }

  or(other: Language): Language {
    return minimal(() => {
      const states = NFA.fromFA(this.automaton);
      states.union(other.automaton);
      return DFA.fromFA(states, limit());
    });
  }

  /** All other texts. */
  not(): Language {
    return minimal(() => {
      const others = this.automaton.copy(limit());
      others.complement(limit());
      return others;
    });
  }

  /** Whether all of the other's texts are among these. */
  includes(other: Language): boolean {
    return other.and(this.not()).isEmpty;
  }

  get isEmpty(): boolean {
    return this.automaton.isEmpty;
  }

  get size(): number {
    return this.automaton.countNodes();
  }

  has(text: string): boolean {
    let state = this.automaton.initial;
    for (const char of text) {
      const next = state.out.get(char.codePointAt(0)!);
      if (!next) return false;
      state = next;
    }
    return this.automaton.finals.has(state);
  }
}

const limit = (): DFA.LimitedNodeFactory => new DFA.LimitedNodeFactory(MAX_STATES);

function minimal(build: () => DFA): Language {
  try {
    const states = build();
    states.minimize();
    return Reflect.construct(Language, [states]) as Language;
  } catch (error) {
    if (error instanceof TooManyNodesError) throw new NoLanguageError('it takes too many states');
    throw error;
  }
}
