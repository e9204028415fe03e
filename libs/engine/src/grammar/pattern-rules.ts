import type { Element } from 'refa';
import { NoLanguageError } from './language.js';
import type { Spelling } from './language-rules.js';
import { isEnd, isStart, parsePattern, type Alternatives } from './pattern-language.js';
import { times, type RuleBook } from './rule-book.js';

interface Length {
  min: number;
  max: number | null;
}

/**
 * A rule built as a regular expression is, which takes far less to compile than one for each state where something is repeated a
 * hundred times; null for one that looks around, or does not match the whole text.
 * @param length of the text, where a pattern may be held to it: one that repeats a set of characters
 */
export function patternRule(source: string, rules: RuleBook, spelling: Spelling, length: Length | null): string | null {
  const bare = anchored(parsed(source));
  if (!bare) return null;
  const sequence = (elements: readonly Element[]): string => elements.map(element).join(' ') || '""';
  const oneOf = (alternatives: Alternatives): string =>
    rules.rule(rules.either(alternatives.map(({ elements }) => sequence(elements))));
  const element = (part: Element): string => {
    switch (part.type) {
      case 'CharacterClass':
        return rules.rule(rules.either(spelling(part.characters)));
      case 'Alternation':
        return oneOf(part.alternatives);
      case 'Quantifier':
        return times(oneOf(part.alternatives), part.min, part.max === Infinity ? null : part.max);
      default:
        throw new NoLanguageError();
    }
  };
  try {
    if (!length) return oneOf(bare.map((elements) => ({ elements })));
    const repeated = onlyRepeated(bare);
    if (!repeated) return null;
    const min = Math.max(length.min, repeated.min);
    const max = Math.min(length.max ?? Infinity, repeated.max);
    return min > max ? null : times(element(repeated.of), min, max === Infinity ? null : max);
  } catch (error) {
    if (error instanceof NoLanguageError) return null;
    throw error;
  }
}

function parsed(source: string): Alternatives {
  try {
    return parsePattern(source).alternatives;
  } catch (error) {
    if (error instanceof NoLanguageError) return [];
    throw error;
  }
}

/** What stands between `^` and `$`; null where they are missing. */
function anchored(alternatives: Alternatives): Element[][] | null {
  const bare = alternatives.map(({ elements }) => {
    const [first, last] = [elements[0], elements.at(-1)];
    const whole = first?.type === 'Assertion' && isStart(first) && last?.type === 'Assertion' && isEnd(last);
    return whole ? elements.slice(1, -1) : null;
  });
  return bare.length > 0 && bare.every((elements) => elements !== null) ? bare : null;
}

function onlyRepeated([elements, ...others]: Element[][]): { of: Element; min: number; max: number } | null {
  const [only, ...more] = elements ?? [];
  if (others.length > 0 || more.length > 0 || only?.type !== 'Quantifier') return null;
  const inside = only.alternatives.flatMap((alternative) => alternative.elements);
  const [of] = inside;
  return inside.length === 1 && of?.type === 'CharacterClass' ? { of, min: only.min, max: only.max } : null;
}
