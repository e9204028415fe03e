import { MAIN_COLOURS } from '../material/facts.js';
import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { commonWord, inventedWord, NAMES } from '../material/words.js';

const anyOf =
  (answers: readonly string[]) =>
  (random: Random): Exercise => ({ slots: {}, answer: random.pick(answers), alternatives: answers });

const number: Task = {
  share: 3,
  wordings: [
    'Pick a number from {a} to {b}',
    'Give me a number between {a} and {b}',
    'Choose a number between {a} and {b}',
    'Random number from {a} to {b}',
    'Say a number from {a} to {b}',
  ],
  heldOut: ['Think of any number from {a} to {b}'],
  make(random) {
    const a = random.pick([0, 1, 1, 1, 2, 5, 10, 50]);
    const b = a + random.pick([2, 3, 4, 5, 9, 10, 20, 49]);
    const numbers = Array.from({ length: b - a + 1 }, (_, i) => String(a + i));
    return { slots: { a: String(a), b: String(b) }, answer: random.pick(numbers), alternatives: numbers };
  },
};

const coin: Task = {
  wordings: ['Flip a coin', 'Toss a coin', 'Heads or tails?', 'Coin flip'],
  heldOut: ['Throw a coin for me'],
  make: anyOf(['heads', 'tails']),
};

const die: Task = {
  wordings: ['Roll a die', 'Roll a dice', 'Throw a die', 'Give me a die roll'],
  heldOut: ['Cast a die for me'],
  make: anyOf(['1', '2', '3', '4', '5', '6']),
};

const letter: Task = {
  wordings: ['Pick a letter', 'Say a letter', 'Give me a random letter', 'Any letter'],
  heldOut: ['One letter of the alphabet, please'],
  make: anyOf([...'abcdefghijklmnopqrstuvwxyz']),
};

const colour: Task = {
  wordings: ['Pick a color', 'What is your favorite color?', 'Choose a colour', 'Any color'],
  heldOut: ['Which color do you like best?'],
  make: anyOf(MAIN_COLOURS),
};

const name: Task = {
  wordings: ['Pick a name', 'Say a name', 'Give me a random name', 'Any name'],
  heldOut: ['A first name, please'],
  make: anyOf(NAMES),
};

const word: Task = {
  share: 2,
  wordings: [
    'Say a word',
    'Say something',
    'Pick a word',
    'Give me a random word',
    'Any word',
    'Write one word',
    'Say anything',
  ],
  heldOut: ['A single word, please'],
  make: (random) => ({ slots: {}, answer: commonWord(random), pattern: /^[a-z]{2,}$/ }),
};

const startingWith: Task = {
  share: 2,
  wordings: [
    'Say a word that starts with {letter}',
    'A word with {letter} at the start',
    'Write a word beginning with {letter}',
    'Give me a word that begins with {letter}',
  ],
  heldOut: ['Which word starts with {letter}?'],
  make(random) {
    const answer = commonWord(random);
    const letter = answer.charAt(0);
    return { slots: { letter }, answer, pattern: new RegExp(`^${letter}[a-z]*$`) };
  },
};

const invented: Task = {
  wordings: ['Invent a word', 'Make up a word', 'Say a word that does not exist'],
  heldOut: ['Create a new word'],
  make: (random) => ({ slots: {}, answer: inventedWord(random), pattern: /^[a-z]{2,}$/ }),
};

/** Answers that nothing in the question decides: rewards can move them. */
export const randomPickSkill = exerciseSkill('free picks', 4, [
  number,
  coin,
  die,
  letter,
  colour,
  name,
  word,
  startingWith,
  invented,
]);
