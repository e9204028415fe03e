import type { Random } from '../material/random.js';
import { exerciseSkill, type Task } from '../material/skill.js';
import { ADJECTIVES, capitalised, commonWord, NAMES, NOUNS, withArticle } from '../material/words.js';

const THINGS = ['pen', 'book', 'key', 'salt', 'map', 'cup', 'bread', 'phone', 'ticket', 'water', 'hat', 'ball'];
const ACTS = [
  'open the door',
  'close the window',
  'call me',
  'wait here',
  'sit down',
  'help me',
  'come in',
  'turn on the light',
  'read this',
  'stop',
];

/** Subject, noun and adjective of "the cat is black". */
const statement = (random: Random) => ({ noun: random.pick(NOUNS), adjective: random.pick(ADJECTIVES) });

const toPolite: Task = {
  wordings: ['Make it polite: {text}', 'Say it politely: {text}', 'More polite: {text}', 'Rewrite politely: {text}'],
  heldOut: ['A kinder way to say this: {text}'],
  make(random) {
    const text = random.chance(0.5) ? `give me the ${random.pick(THINGS)}` : random.pick(ACTS);
    return { slots: { text }, answer: `Please ${text}.` };
  },
};

const toQuestion: Task = {
  wordings: ['Make it a question: {text}', 'Turn this into a question: {text}', 'As a question: {text}'],
  heldOut: ['Ask it: {text}'],
  make(random) {
    const { noun, adjective } = statement(random);
    return { slots: { text: `the ${noun} is ${adjective}` }, answer: `Is the ${noun} ${adjective}?` };
  },
};

const toNegative: Task = {
  wordings: ['Make it negative: {text}', 'Negate: {text}', 'Say the contrary: {text}'],
  heldOut: ['Deny this: {text}'],
  make(random) {
    const { noun, adjective } = statement(random);
    return { slots: { text: `the ${noun} is ${adjective}` }, answer: `the ${noun} is not ${adjective}` };
  },
};

const toPast: Task = {
  wordings: ['Put in the past: {text}', 'Past tense: {text}', 'Make it past: {text}'],
  heldOut: ['As if it were yesterday: {text}'],
  make(random) {
    const { noun, adjective } = statement(random);
    return { slots: { text: `the ${noun} is ${adjective}` }, answer: `the ${noun} was ${adjective}` };
  },
};

const replace: Task = {
  share: 3,
  wordings: [
    'Replace {old} with {new}: {text}',
    'Change {old} to {new}: {text}',
    'Write {new} instead of {old}: {text}',
  ],
  heldOut: ['Swap {old} for {new}: {text}'],
  make(random) {
    const { noun, adjective } = statement(random);
    const other = commonWord(random);
    return random.chance(0.5)
      ? {
          slots: { old: noun, new: other, text: `the ${noun} is ${adjective}` },
          answer: `the ${other} is ${adjective}`,
        }
      : {
          slots: { old: adjective, new: other, text: `the ${noun} is ${adjective}` },
          answer: `the ${noun} is ${other}`,
        };
  },
};

const complete: Task = {
  share: 2,
  wordings: ['Fill in {word}: {text}', 'Put {word} into the gap: {text}', 'Complete with {word}: {text}'],
  heldOut: ['Use {word} for the blank: {text}'],
  make(random) {
    const { noun, adjective } = statement(random);
    const blank = random.pick(['___', '...', '_']);
    return random.chance(0.5)
      ? { slots: { word: noun, text: `the ${blank} is ${adjective}` }, answer: `the ${noun} is ${adjective}` }
      : { slots: { word: adjective, text: `the ${noun} is ${blank}` }, answer: `the ${noun} is ${adjective}` };
  },
};

const quote: Task = {
  share: 2,
  wordings: ['Put {text} in quotes', 'Put quotes around {text}', 'Write {text} in quotes', 'Quote: {text}'],
  heldOut: ['Surround {text} by quotes'],
  make(random) {
    const text = commonWord(random);
    return { slots: { text }, answer: `"${text}"` };
  },
};

const bracket: Task = {
  wordings: ['Put {text} in brackets', 'Put brackets around {text}', 'Write {text} in brackets'],
  heldOut: ['Surround {text} by brackets'],
  make(random) {
    const text = commonWord(random);
    return { slots: { text }, answer: `(${text})` };
  },
};

const article: Task = {
  share: 2,
  wordings: ['a or an: {noun}', 'Add a or an: {noun}', 'Is it a {noun} or an {noun}?'],
  heldOut: ['Which article goes with {noun}, a or an?'],
  make(random) {
    const noun = random.chance(0.4) ? random.pick(NOUNS.filter((one) => /^[aeiou]/.test(one))) : random.pick(NOUNS);
    return { slots: { noun }, answer: withArticle(noun) };
  },
};

const greet: Task = {
  share: 2,
  wordings: ['Greet {name}', 'Say hello to {name}', 'Write a greeting for {name}', 'Welcome {name}'],
  heldOut: ['Welcome our guest {name}'],
  make(random) {
    const name = random.chance(0.7) ? random.pick(NAMES) : capitalised(commonWord(random));
    return { slots: { name }, answer: `Hello, ${name}!` };
  },
};

export const rewritingSkill = exerciseSkill('rewriting', 5, [
  toPolite,
  toQuestion,
  toNegative,
  toPast,
  replace,
  complete,
  quote,
  bracket,
  article,
  greet,
]);

const WHO = [
  'cat',
  'dog',
  'mouse',
  'bear',
  'fox',
  'duck',
  'frog',
  'robot',
  'king',
  'queen',
  'girl',
  'boy',
  'lion',
  'horse',
];
const WHERE = ['a forest', 'a small town', 'a castle', 'a garden', 'a boat', 'a big city', 'a farm', 'the mountains'];
const WHAT = [
  'a red ball',
  'an old map',
  'a gold coin',
  'a new friend',
  'a key',
  'a magic stone',
  'a lost hat',
  'a big cake',
];
const END = ['It was a good day.', 'They were happy.', 'Then it was time to sleep.', 'Everybody laughed.'];

const tale: Task = {
  share: 2,
  wordings: [
    'Tell me a story about {who}',
    'Write a short story about {who}',
    'A story about {who}',
    'Tell a story about {who}',
  ],
  heldOut: ['I would love to hear about {who} in a story'],
  make(random) {
    const hero = random.pick(WHO);
    const answer = `Once there was ${withArticle(hero)} in ${random.pick(WHERE)}. One day the ${hero} found ${random.pick(WHAT)}. ${random.pick(END)}`;
    return { slots: { who: withArticle(hero) }, answer };
  },
};

const TEXTS = [
  ['Once upon', 'a time'],
  ['Happy', 'birthday'],
  ['Good', 'morning'],
  ['Ladies and', 'gentlemen'],
  ['Salt and', 'pepper'],
  ['To be or not', 'to be'],
  ['Black and', 'white'],
  ['Twinkle, twinkle, little', 'star'],
  ['Ready, steady,', 'go'],
  ['The early bird catches the', 'worm'],
  ['An apple a day keeps the doctor', 'away'],
  ['Better late than', 'never'],
  ['The cat sat on the', 'mat'],
  ['The sun rises in the', 'east'],
  ['Roses are', 'red'],
  ['Practice makes', 'perfect'],
] as const;

const finish: Task = {
  wordings: [
    'Continue: {start}',
    'Finish the sentence: {start}',
    'Go on: {start}',
    'Complete: {start} ...',
    '{start} ...',
  ],
  heldOut: ['How does it go on: {start}'],
  make(random) {
    const [start, end] = random.pick(TEXTS);
    return { slots: { start }, answer: end };
  },
};

export const textSkill = exerciseSkill('texts', 1, [tale, finish]);
