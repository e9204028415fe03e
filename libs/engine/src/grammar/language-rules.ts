import { CharSet, type DFA } from 'refa';
import { asciiClass, beyondAscii, literal } from './coded-text.js';
import { CHARACTERS, NoLanguageError, type Language } from './language.js';
import type { RuleBook } from './rule-book.js';

const MAX_RULES = 600;
/** States at which very many words may come next: each takes the grammar library some 60 ms where there are 49,000 tokens. */
const MAX_WIDE = 64;
/** Letters that make a state one of those. */
const WIDE = CharSet.fromCharacters(CHARACTERS.maxCharacter, [0x61, 0x65, 0x69, 0x6f]);
/** Ranges beyond ASCII in one set of characters: scripts have a few, all letters some seven hundred. */
const MAX_RANGES = 40;

/** How the characters of a set stand in a text: alternatives, which may begin alike. */
export type Spelling = (characters: CharSet) => string[];

/**
 * A rule for the texts of a language: one rule for each state of its automaton.
 * @throws NoLanguageError where there are too many
 */
export function languageRule({ automaton, size }: Language, rules: RuleBook, spelling: Spelling): string {
  const { getOut } = automaton.transitionIterator();
  const wide = Array.from(automaton.nodes()).filter((state) =>
    [...getOut(state).values()].some((set) => set.isSupersetOf(WIDE)),
  );
  if (size > MAX_RULES || wide.length > MAX_WIDE) throw new NoLanguageError('it takes too many states');
  const names = new Map<DFA.ReadonlyNode, string>();
  const nameOf = (state: DFA.ReadonlyNode): string => {
    const name = names.get(state) ?? rules.reserve();
    names.set(state, name);
    return name;
  };
  for (const state of automaton.nodes()) {
    const steps = [...getOut(state)].flatMap(([next, characters]) => {
      const spelled = spelling(characters);
      return spelled.length === 0 ? [] : [`${rules.rule(rules.either(spelled))} ${nameOf(next)}`];
    });
    if (automaton.finals.has(state)) steps.push('""');
    rules.define(nameOf(state), rules.either(steps));
  }
  return nameOf(automaton.initial);
}

const WRITABLE = setOf(0x09, 0x0d).union([{ min: 0x20, max: 0x7f }]);
const RAW = setOf(0x20, 0x7f).without(CharSet.fromCharacters(CHARACTERS.maxCharacter, [0x22, 0x5c]));
const CONTROLS = setOf(0, 0x1f);

/** Characters as they are. */
export const plainSpelling: Spelling = (characters) => [...ascii(characters, WRITABLE), ...beyond(characters)];

/** Characters within a JSON string: escaped where they must be. */
export const jsonSpelling: Spelling = (characters) => {
  const controls = characters.intersect(CONTROLS);
  const escaped = [0x22, 0x5c].filter((code) => characters.has(code)).map(escape);
  const all = controls.equals(CONTROLS);
  const written = all ? ['"\\\\u00" [01] [0-9a-fA-F]', '"\\\\" [bfnrt]'] : Array.from(codes(controls), escape);
  return [...ascii(characters, RAW), ...escaped, ...written, ...beyond(characters)];
};

const escape = (code: number): string => literal(JSON.stringify(String.fromCharCode(code)).slice(1, -1));

function ascii(characters: CharSet, among: CharSet): string[] {
  const { ranges } = characters.intersect(among);
  return ranges.length === 0 ? [] : [asciiClass(ranges)];
}

/** Of very many ranges the largest: fewer texts than there might be, never others. */
function beyond(characters: CharSet): string[] {
  return [...characters.intersect(setOf(0x80, CHARACTERS.maxCharacter)).ranges]
    .sort((a, b) => b.max - b.min - (a.max - a.min))
    .slice(0, MAX_RANGES)
    .flatMap(({ min, max }) => beyondAscii(min, max));
}

function* codes({ ranges }: CharSet): Iterable<number> {
  for (const { min, max } of ranges) for (let code = min; code <= max; code++) yield code;
}

function setOf(min: number, max: number): CharSet {
  return CharSet.fromRange(CHARACTERS.maxCharacter, { min, max });
}
