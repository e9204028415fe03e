import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { NAMES } from '../material/words.js';

export const NUMBER_WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');

/** Small numbers are asked most. */
function operand(random: Random): number {
  return random.between(0, [10, 20, 50, 99][random.weighted([60, 20, 12, 8])] as number);
}

const wordings = (sign: string, word: string): string[] => [
  `What is {a} ${sign} {b}?`,
  `What is {a} ${word} {b}?`,
  `Compute {a} ${sign} {b}`,
  `Calculate {a} ${sign} {b}`,
  `{a} ${sign} {b}`,
  `{a} ${sign} {b} =`,
  `{a}${sign}{b}`,
  `{a}${sign}{b}=?`,
  `How much is {a} ${sign} {b}?`,
  `{a} ${word} {b}?`,
  `Solve: {a} ${sign} {b}`,
];

const heldOutWordings = (sign: string, word: string): string[] => [
  `Work out {a} ${sign} {b}`,
  `Give me the result of {a} ${word} {b}`,
  `Can you tell me what {a} ${sign} {b} makes?`,
];

const numbers = (
  random: Random,
  pair: (random: Random) => [number, number],
  answer: (a: number, b: number) => number,
): Exercise => {
  const [a, b] = pair(random);
  const inWords = a <= 10 && b <= 10 && random.chance(0.08);
  return {
    slots: {
      a: inWords ? (NUMBER_WORDS[a] as string) : String(a),
      b: inWords ? (NUMBER_WORDS[b] as string) : String(b),
    },
    answer: String(answer(a, b)),
  };
};

const two = (random: Random): [number, number] => [operand(random), operand(random)];
const descending = (random: Random): [number, number] => two(random).sort((a, b) => b - a) as [number, number];

const addition: Task = {
  share: 5,
  wordings: [...wordings('+', 'plus'), 'Add {a} and {b}', 'Sum of {a} and {b}?'],
  heldOut: heldOutWordings('+', 'plus'),
  make: (random) => numbers(random, two, (a, b) => a + b),
};

const subtraction: Task = {
  share: 4,
  wordings: [...wordings('-', 'minus'), 'Take {b} from {a}', 'Subtract {b} from {a}'],
  heldOut: heldOutWordings('-', 'minus'),
  make: (random) => numbers(random, descending, (a, b) => a - b),
};

const multiplication: Task = {
  share: 3,
  wordings: [...wordings('*', 'times'), 'What is {a} x {b}?', '{a} x {b}', 'Multiply {a} by {b}'],
  heldOut: heldOutWordings('*', 'times'),
  make: (random) =>
    numbers(
      random,
      (r) => [r.between(0, 10), r.between(0, 10)],
      (a, b) => a * b,
    ),
};

const THINGS = ['apples', 'books', 'coins', 'eggs', 'cats', 'stones', 'cards', 'toys'];

const gains: Task = {
  wordings: [
    '{name} has {a} {things} and gets {b} more. How many {things} now?',
    'There are {a} {things}. {b} more come. How many are there?',
  ],
  heldOut: ['{name} owns {a} {things} and buys {b}. How many {things} are there?'],
  make: (random) => story(random, two, (a, b) => a + b),
};

const loses: Task = {
  wordings: [
    '{name} has {a} {things} and loses {b}. How many are left?',
    'There are {a} {things}. {name} takes {b}. How many are left?',
  ],
  heldOut: ['{name} had {a} {things} and gave away {b}. How many remain?'],
  make: (random) => story(random, descending, (a, b) => a - b),
};

function story(
  random: Random,
  pair: (random: Random) => [number, number],
  answer: (a: number, b: number) => number,
): Exercise {
  const exercise = numbers(random, pair, answer);
  return { ...exercise, slots: { ...exercise.slots, name: random.pick(NAMES), things: random.pick(THINGS) } };
}

export const arithmeticSkill = exerciseSkill('arithmetic', 12, [addition, subtraction, multiplication, gains, loses]);

function unequal(random: Random): [number, number] {
  for (;;) {
    const [a, b] = two(random);
    if (a !== b) return [a, b];
  }
}

const larger: Task = {
  share: 2,
  wordings: [
    'Which is bigger, {a} or {b}?',
    'Which is larger: {a} or {b}?',
    'Which number is greater, {a} or {b}?',
    'The bigger of {a} and {b}?',
    'Max of {a} and {b}',
  ],
  heldOut: ['Tell me the bigger number: {a}, {b}', 'What is more, {a} or {b}?'],
  make: (random) => numbers(random, unequal, Math.max),
};

const smaller: Task = {
  share: 2,
  wordings: [
    'Which is smaller, {a} or {b}?',
    'Which number is less, {a} or {b}?',
    'The smaller of {a} and {b}?',
    'Min of {a} and {b}',
  ],
  heldOut: ['Tell me the smaller number: {a}, {b}', 'What is less, {a} or {b}?'],
  make: (random) => numbers(random, unequal, Math.min),
};

const isGreater: Task = {
  share: 2,
  wordings: ['Is {a} bigger than {b}?', 'Is {a} greater than {b}?', 'Is {a} more than {b}?', '{a} > {b}?'],
  heldOut: ['Would you say that {a} is above {b}?'],
  make(random) {
    const [a, b] = unequal(random);
    return { slots: { a: String(a), b: String(b) }, answer: a > b ? 'yes' : 'no' };
  },
};

const isEven: Task = {
  wordings: ['Is {a} even?', 'Is {a} an even number?', 'Is the number {a} even?'],
  heldOut: ['Does {a} divide by two?'],
  make(random) {
    const a = operand(random);
    return { slots: { a: String(a) }, answer: a % 2 === 0 ? 'yes' : 'no' };
  },
};

const parity: Task = {
  wordings: ['Is {a} odd or even?', 'Even or odd: {a}', '{a}: even or odd?'],
  heldOut: ['Tell me whether {a} is even or odd'],
  make(random) {
    const a = operand(random);
    return { slots: { a: String(a) }, answer: a % 2 === 0 ? 'even' : 'odd' };
  },
};

export const comparisonSkill = exerciseSkill('comparing numbers', 5, [larger, smaller, isGreater, isEven, parity]);

const inDigits: Task = {
  wordings: ['Write {word} as a number', 'Write {word} in digits', '{word} in digits?', 'Which number is {word}?'],
  heldOut: ['Put {word} into digits'],
  make(random) {
    const number = random.between(0, 20);
    return { slots: { word: NUMBER_WORDS[number] as string }, answer: String(number) };
  },
};

const inWords: Task = {
  wordings: ['Write {a} in words', '{a} in words?', 'Spell the number {a}', 'Write the number {a} as a word'],
  heldOut: ['Put {a} into words'],
  make(random) {
    const number = random.between(0, 20);
    return { slots: { a: String(number) }, answer: NUMBER_WORDS[number] as string };
  },
};

const next: Task = {
  share: 2,
  wordings: [
    'What comes after {a}?',
    'Which number comes after {a}?',
    'Next number after {a}?',
    'The number after {a}',
    'What is one more than {a}?',
  ],
  heldOut: ['I count {a}, and then?'],
  make(random) {
    const a = operand(random);
    return { slots: { a: String(a) }, answer: String(a + 1) };
  },
};

const previous: Task = {
  wordings: [
    'What comes before {a}?',
    'Which number comes before {a}?',
    'The number before {a}',
    'What is one less than {a}?',
  ],
  heldOut: ['Which number is just below {a}?'],
  make(random) {
    const a = operand(random) + 1;
    return { slots: { a: String(a) }, answer: String(a - 1) };
  },
};

const sequence: Task = {
  share: 2,
  wordings: [
    'Continue: {start}',
    'What comes next: {start}',
    'Go on: {start}',
    '{start}, ...',
    'Next in the row: {start}',
  ],
  heldOut: ['How does it go on: {start}'],
  make(random) {
    const step = random.pick([1, 1, 1, 2, 2, 5, 10]);
    const first = random.between(0, 12) * (step > 2 ? step : 1);
    const shown = Array.from({ length: random.between(2, 4) }, (_, i) => first + i * step);
    // One number says nothing about the step, two say enough.
    return { slots: { start: shown.join(', ') }, answer: String(first + shown.length * step) };
  },
};

const count: Task = {
  share: 2,
  wordings: ['Count to {b}', 'Count from {a} to {b}', 'Count from {a} up to {b}', 'List the numbers from {a} to {b}'],
  heldOut: ['Say every number from {a} to {b}'],
  make(random) {
    const b = random.between(2, 9);
    return { slots: { a: '1', b: String(b) }, answer: Array.from({ length: b }, (_, i) => i + 1).join(', ') };
  },
};

export const countingSkill = exerciseSkill('counting', 4, [inDigits, inWords, next, previous, sequence, count]);
