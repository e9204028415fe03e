import { CharSet } from 'refa';
import { CHARACTERS, Language, NoLanguageError } from './language.js';
import { boundedNumber, decimal, type Bound } from './number-grammar.js';
import { wholeLanguage } from './pattern-language.js';

/** A remainder for each is a state. */
const MAX_DIVISOR = 2000;

/**
 * Numbers between two bounds that are multiples of others, without an exponent.
 * @throws NoLanguageError where that takes too many states
 */
export function multiples(of: readonly number[], min: Bound | null, max: Bound | null, integer: boolean): Language {
  const between = wholeLanguage(
    min || max ? asPattern(boundedNumber(min, max, integer)) : '-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?',
  );
  const whole = integer || of.some(Number.isInteger) ? wholeLanguage('-?[0-9]+') : Language.all;
  return of.map(multiplesOf).reduce((all, language) => all.and(language), between.and(whole));
}

/** A grammar's alternatives of digits, as a regular expression. */
const asPattern = (choices: readonly string[]): string =>
  choices
    .map((choice) => choice.replace(/"([^"]*)"| /g, (_, text: string = '') => text.replace('.', '\\.')))
    .join('|') || '[^\\s\\S]';

/** Decimal numbers that a divisor divides: digit by digit, with the remainder of those so far. */
function multiplesOf(divisor: number): Language {
  const { whole, fraction } = decimal({ value: divisor, exclusive: false });
  const places = fraction.length;
  const unit = Number(whole + fraction);
  if (unit > MAX_DIVISOR) throw new NoLanguageError('it has too many remainders');
  const digits = (remainder: number, state: (remainder: number) => string): [string, number][] =>
    Array.from({ length: 10 }, (_, digit) => [state((remainder * 10 + digit) % unit), 48 + digit]);
  const getOut = (state: string): ReadonlyMap<string, CharSet> => {
    const [place, remainder] = state.split(':').map(Number) as [number, number];
    const steps =
      place === -2
        ? digits(0, (r) => `-1:${r}`)
        : place < places
          ? digits(remainder, (r) => (place < 0 ? `-1:${r}` : `${place + 1}:${r}`))
          : [];
    if (state === START) steps.push([SIGNED, 45]);
    if (place === -1 && places > 0) steps.push([`0:${remainder}`, 46]);
    const targets = new Map<string, CharSet>();
    for (const [next, code] of steps) {
      targets.set(
        next,
        CharSet.empty(CHARACTERS.maxCharacter).union([...(targets.get(next)?.ranges ?? []), { min: code, max: code }]),
      );
    }
    return targets;
  };
  const isFinal = (state: string): boolean => {
    const [place, remainder] = state.split(':').map(Number) as [number, number];
    return place !== 0 && place !== -2 && (remainder * 10 ** (places - Math.max(place, 0))) % unit === 0;
  };
  return Language.from({
    ...CHARACTERS,
    transitionIterator: () => ({ initial: START, getOut, isFinal, stableOut: true }),
  });
}

/** Other states are the digits after the point so far, -1 before it, and the remainder. */
const START = '-2:0';
const SIGNED = '-2:1';
