import { JS, type Assertion, type Concatenation, type Element, type NoParent } from 'refa';
import { Language, NoLanguageError } from './language.js';

/** How often something with an assertion in it may be repeated. */
const MAX_REPEATED = 16;

export type Alternatives = readonly { elements: readonly Element[] }[];

/**
 * The texts in which a regular expression (ECMAScript's, with the flag `u`, as JSON Schema has it) finds a match somewhere.
 * Each part is read together with what may follow it, so that looking ahead is an intersection.
 * @throws NoLanguageError where the pattern is none, refers back, looks behind, or takes too many states
 */
export function patternLanguage(source: string): Language {
  const { alternatives } = parsePattern(source);
  const atStart = oneOf(alternatives, Language.all, true);
  if (everyStarts(alternatives)) return atStart;
  return atStart.or(behindAnything(oneOf(alternatives, Language.all, false)));
}

/** The texts that a regular expression matches from their beginning to their end. */
export function wholeLanguage(source: string): Language {
  return patternLanguage(`^(?:${source})$`);
}

/** @throws NoLanguageError where it is none, or refers back. */
export function parsePattern(source: string): { alternatives: Alternatives } {
  try {
    const parser = JS.Parser.fromLiteral({ source, flags: 'u' });
    return parser.parse({ assertions: 'parse', backreferences: 'throw', maxBackreferenceWords: 0 }).expression;
  } catch (error) {
    throw new NoLanguageError(error instanceof Error ? error.message : String(error));
  }
}

const ANYTHING = part(parsePattern('[^]+').alternatives[0]!.elements);

const behindAnything = (language: Language): Language => Language.sequence(ANYTHING, language);

function part(elements: readonly Element[]): NoParent<Concatenation> {
  return { type: 'Concatenation', elements: [...elements] } as NoParent<Concatenation>;
}

function oneOf(alternatives: Alternatives, rest: Language, atStart: boolean): Language {
  return alternatives
    .map(({ elements }) => sequence(elements, rest, atStart))
    .reduce((all, language) => (all === Language.none ? language : all.or(language)), Language.none);
}

function sequence(elements: readonly Element[], rest: Language, atStart: boolean): Language {
  let language = rest;
  for (let end = elements.length; end > 0;) {
    let begin = end;
    while (begin > 0 && !asserts(elements[begin - 1]!)) begin--;
    if (begin < end) {
      language = Language.sequence(part(elements.slice(begin, end)), language);
      end = begin;
    } else {
      end--;
      language = asserting(elements[end]!, language, atStart, elements.slice(0, end));
    }
  }
  return language;
}

function asserting(element: Element, rest: Language, atStart: boolean, before: readonly Element[]): Language {
  // Where the text begins is known unless something before may or may not be there.
  const isFirst = atStart && before.every(({ type }) => type === 'Assertion');
  if (atStart && !isFirst && looksBehind(element) && before.every(mayBeEmpty)) throw unsupported();
  switch (element.type) {
    case 'Assertion':
      return assertion(element, rest, isFirst);
    case 'Alternation':
      return oneOf(element.alternatives, rest, isFirst);
    case 'Quantifier': {
      const { min, max, alternatives } = element;
      if (max > MAX_REPEATED || (max > 1 && looksBehind(element))) throw unsupported();
      let language = rest;
      for (let i = max; i > 0; i--) {
        const once = oneOf(alternatives, language, isFirst);
        language = i > min ? once.or(rest) : once;
      }
      return language;
    }
    default:
      throw unsupported();
  }
}

function assertion(element: Assertion, rest: Language, atStart: boolean): Language {
  const { kind, negate, alternatives } = element;
  if (kind === 'behind') {
    if (!isStart(element)) throw unsupported();
    return atStart ? rest : Language.none;
  }
  const ahead = oneOf(alternatives, Language.all, atStart);
  return rest.and(negate ? ahead.not() : ahead);
}

/** `^` is "no character behind this". */
export const isStart = (assertion: Assertion): boolean => assertion.kind === 'behind' && isEdge(assertion);

/** `$` is "no character ahead of this". */
export const isEnd = (assertion: Assertion): boolean => assertion.kind === 'ahead' && isEdge(assertion);

function isEdge({ negate, alternatives }: Assertion): boolean {
  const [only] = alternatives.length === 1 ? alternatives[0]!.elements : [];
  return negate && only?.type === 'CharacterClass' && only.characters.isAll;
}

const everyStarts = (alternatives: Alternatives): boolean =>
  alternatives.length > 0 &&
  alternatives.every(({ elements: [first] }) => {
    if (first?.type === 'Assertion') return isStart(first);
    return first?.type === 'Alternation' && everyStarts(first.alternatives);
  });

const within = (element: Element): readonly Element[] =>
  'alternatives' in element ? element.alternatives.flatMap(({ elements }) => elements) : [];

const asserts = (element: Element): boolean => element.type === 'Assertion' || within(element).some(asserts);

const looksBehind = (element: Element): boolean =>
  (element.type === 'Assertion' && element.kind === 'behind') || within(element).some(looksBehind);

function mayBeEmpty(element: Element): boolean {
  if (element.type === 'CharacterClass') return false;
  if (element.type === 'Quantifier' && element.min === 0) return true;
  return element.type !== 'Alternation' && element.type !== 'Quantifier'
    ? true
    : element.alternatives.some(({ elements }) => elements.every(mayBeEmpty));
}

const unsupported = (): NoLanguageError => new NoLanguageError('it looks behind, or repeats an assertion');
