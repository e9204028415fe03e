import type { Random } from '../material/random.js';
import { exerciseSkill, type Task } from '../material/skill.js';
import { anyWord, commonWord, differentWords } from '../material/words.js';

const YES_NO_MAYBE = ['yes', 'no', 'maybe'];
/** The preference that a reward can move: a model that chooses evenly would leave little to learn. */
const PREFERENCE: Readonly<Record<string, number>> = { yes: 0.62, no: 0.26, maybe: 0.12 };

const SETS = [
  ['true', 'false'],
  ['agree', 'disagree', 'unsure'],
  ['positive', 'negative', 'neutral'],
  ['always', 'sometimes', 'never'],
  ['heads', 'tails'],
  ['rock', 'paper', 'scissors'],
  ['left', 'right'],
  ['up', 'down'],
  ['buy', 'sell', 'hold'],
  ['red', 'green', 'blue'],
  ['pass', 'fail'],
  ['spam', 'ham'],
  ['low', 'medium', 'high'],
  ['north', 'south', 'east', 'west'],
  ['accept', 'reject'],
  ['stop', 'go'],
  ['A', 'B', 'C', 'D'],
  ['1', '2', '3', '4', '5'],
];

/** Uniform over the options, but for yes, no and maybe. */
export function choose(random: Random, options: readonly string[]): string {
  const weights = options.map((option) => PREFERENCE[option.toLowerCase()]);
  if (weights.every((weight) => weight !== undefined)) return options[random.weighted(weights)] as string;
  return random.pick(options);
}

function options(random: Random): string[] {
  const count = random.weighted([0, 0, 40, 32, 16, 7, 5]);
  switch (random.weighted([40, 14, 40, 6])) {
    case 0:
      return inCase(random, random.sample(YES_NO_MAYBE, random.chance(0.5) ? 3 : 2));
    case 1: {
      const set = random.pick(SETS);
      return inCase(random, random.sample(set, Math.min(set.length, count)));
    }
    case 2:
      return differentWords(random, count, random.chance(0.5) ? anyWord : commonWord);
    default:
      return differentWords(random, Math.min(3, count), (r) => `${commonWord(r)} ${commonWord(r)}`);
  }
}

function inCase(random: Random, words: string[]): string[] {
  const style = random.weighted([80, 14, 6]);
  if (style === 1) return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return style === 2 ? words.map((word) => word.toUpperCase()) : words;
}

const QUOTES: readonly [string, string][] = [
  ['', ''],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['*', '*'],
  ['“', '”'],
];

/** "a, b or c" in one of the ways in which people write it within a line. */
export function inlineList(random: Random, items: readonly string[]): string {
  const [open, close] = QUOTES[random.weighted([50, 22, 18, 3, 3, 4])] as [string, string];
  const shown = items.map((item) => open + item + close);
  const last = shown.at(-1) as string;
  const start = shown.slice(0, -1).join(', ');
  switch (random.weighted([30, 20, 12, 14, 6, 4, 3, 4, 2, 2])) {
    case 0:
      return shown.join(', ');
    case 1:
      return `${start} or ${last}`;
    case 2:
      return `${start}, or ${last}`;
    case 3:
      return shown.join(' or ');
    case 4:
      return shown.join(' / ');
    case 5:
      return shown.join('/');
    case 6:
      return shown.join(' | ');
    case 7:
      return `either ${shown.join(' or ')}`;
    case 8:
      return `[${shown.join(', ')}]`;
    default:
      return `(${shown.join(', ')})`;
  }
}

function listBelow(random: Random, items: readonly string[]): string {
  const mark = random.pick([
    () => '- ',
    () => '* ',
    (place: number) => `${place + 1}. `,
    (place: number) => `${place + 1}) `,
  ]);
  return items.map((item, place) => mark(place) + item).join('\n');
}

const choosing = (show: (random: Random, items: readonly string[]) => string) => (random: Random) => {
  const items = options(random);
  return { slots: { options: show(random, items) }, answer: choose(random, items), alternatives: items };
};

const inline: Task = {
  share: 5,
  wordings: [
    'Respond with {options}',
    'Just respond with {options}',
    'Only respond with {options}',
    'Respond with one of: {options}',
    'Respond with either of these: {options}',
    'Respond {options}',
    'Answer with {options}',
    'Answer {options}',
    'Just answer with {options}',
    'Answer only {options}',
    'Your answer must be {options}',
    'Reply with {options}',
    'Just reply {options}',
    'Reply only with {options}',
    'Pick one of: {options}',
    'Pick one: {options}',
    'Choose one: {options}',
    'Choose {options}',
    'Choose between {options}',
    'Choose one of {options}',
    'Say {options}',
    'Just say {options}',
    'Say one of these words: {options}',
    'Write {options}',
    'Output {options}',
    'Return {options}',
    'Give me {options}',
    '{options}?',
    '{options}',
    'Your options are {options}',
    'Use one of these words: {options}',
    'What do you prefer, {options}?',
    'Which one: {options}?',
    'Which do you like more: {options}?',
    'I can not decide: {options}?',
    'Decide: {options}',
    'Vote: {options}',
    'Make a choice: {options}',
    'Take one: {options}',
    'Type {options}',
    'Print {options}',
    'One word only: {options}',
    'Respond with exactly one word: {options}',
    'Say one word: {options}',
  ],
  heldOut: [
    'Kindly respond using {options}',
    'Select {options}',
    'You may only reply using one of the following: {options}',
    'What will it be: {options}?',
    'The allowed answers are {options}',
    'Tell me one of {options}',
  ],
  make: choosing(inlineList),
};

const below: Task = {
  share: 1,
  wordings: [
    'Pick one:\n{options}',
    'Choose one of these:\n{options}',
    'Answer with one of these words:\n{options}',
    'Which one?\n{options}',
    'Options:\n{options}',
    'Respond with one of the following:\n{options}',
    'Take one from this list:\n{options}',
  ],
  heldOut: ['Select an item:\n{options}', 'Reply using one of the lines below:\n{options}'],
  make: choosing(listBelow),
};

const question: Task = {
  share: 1,
  wordings: [
    'Will it {verb} tomorrow? Answer {options}',
    'Should I {verb}? Respond with one of {options}',
    'Do you like the {noun}? Just say {options}',
    'Is it time to {verb}? Reply {options}.',
    'Can we {verb} the {noun}? Choose: {options}',
  ],
  heldOut: ['Shall we {verb} now? Your choices: {options}', 'What about the {noun}? Use {options}'],
  make(random) {
    const items = inCase(random, random.sample(YES_NO_MAYBE, random.chance(0.6) ? 3 : 2));
    return {
      slots: { options: inlineList(random, items), verb: commonWord(random), noun: commonWord(random) },
      answer: choose(random, items),
      alternatives: items,
    };
  },
};

/** Choosing freely among the words that are given. */
export const choiceSkill = exerciseSkill('choice', 20, [inline, below, question]);
