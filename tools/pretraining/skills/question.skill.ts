import { CATEGORIES, COLOURS, MAIN_COLOURS, SIZES, THING_SIZES } from '../material/facts.js';
import type { Random } from '../material/random.js';
import { exerciseSkill, type Task } from '../material/skill.js';
import { withArticle } from '../material/words.js';

const ASK = [
  '{question}?',
  '{question}? Answer yes or no.',
  '{question}? yes or no?',
  'Yes or no: {question}?',
  '{question}? Just say yes or no.',
  'True or not: {question}?',
];
const ASK_HELD_OUT = ['{question}? Reply using yes or no.', 'Decide between yes and no: {question}?'];

const answered = (question: string, right: boolean) => ({ slots: { question }, answer: right ? 'yes' : 'no' });

const KINDS = [
  'animal',
  'fruit',
  'color',
  'number',
  'country',
  'tool',
  'vehicle',
  'instrument',
  'month',
  'day',
  'season',
];

const isKind: Task = {
  share: 4,
  wordings: ASK,
  heldOut: ASK_HELD_OUT,
  make(random) {
    const kind = random.pick(KINDS);
    const asked = random.chance(0.5) ? kind : random.pick(KINDS);
    const word = random.pick(CATEGORIES[kind] as readonly string[]);
    return answered(`Is ${word} ${withArticle(asked)}`, asked === kind);
  },
};

const hasColour: Task = {
  share: 3,
  wordings: ASK,
  heldOut: ASK_HELD_OUT,
  make(random) {
    const [thing, colour] = random.pick(COLOURS);
    const asked = random.chance(0.5) ? colour : random.pick(MAIN_COLOURS);
    return answered(`Is the ${thing} ${asked}`, asked === colour);
  },
};

function pairBySize(random: Random): { a: string; b: string; aIsLarger: boolean } {
  const order = random.chance(0.6) ? SIZES : THING_SIZES;
  const [i, j] = random.sample(
    order.map((_, place) => place),
    2,
  ) as [number, number];
  return { a: order[i] as string, b: order[j] as string, aIsLarger: i > j };
}

const isLarger: Task = {
  share: 2,
  wordings: ASK,
  heldOut: ASK_HELD_OUT,
  make(random) {
    const { a, b, aIsLarger } = pairBySize(random);
    const bigger = random.chance(0.5);
    return answered(
      `Is ${withArticle(a)} ${bigger ? 'bigger' : 'smaller'} than ${withArticle(b)}`,
      bigger === aIsLarger,
    );
  },
};

const whichIsLarger: Task = {
  share: 2,
  wordings: ['Which is {size}, {a} or {b}?', 'What is {size}: {a} or {b}?', '{a} or {b}: which is {size}?'],
  heldOut: ['Out of {a} and {b}, which one is {size}?'],
  make(random) {
    const { a, b, aIsLarger } = pairBySize(random);
    const bigger = random.chance(0.5);
    return {
      slots: { a: withArticle(a), b: withArticle(b), size: bigger ? 'bigger' : 'smaller' },
      answer: bigger === aIsLarger ? a : b,
    };
  },
};

const same: Task = {
  share: 2,
  wordings: [
    'Is {a} the same as {b}?',
    'Are {a} and {b} the same word?',
    'Are these the same: {a}, {b}?',
    'Same or different: is {a} equal to {b}?',
  ],
  heldOut: ['Do {a} and {b} match?'],
  make(random) {
    const words = Object.values(CATEGORIES).flat();
    const a = random.pick(words);
    const b = random.chance(0.5) ? a : random.pick(words);
    return { slots: { a, b }, answer: a === b ? 'yes' : 'no' };
  },
};

export const yesNoSkill = exerciseSkill('yes or no', 6, [isKind, hasColour, isLarger, same]);
export const sizeSkill = exerciseSkill('sizes', 1.5, [whichIsLarger]);
