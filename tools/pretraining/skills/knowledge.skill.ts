import * as facts from '../material/facts.js';
import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { commonWord, withArticle } from '../material/words.js';

type Pairs = readonly (readonly [string, string])[];

const lookUp =
  (pairs: Pairs) =>
  (random: Random): Exercise => {
    const [key, value] = random.pick(pairs);
    return { slots: { key }, answer: value };
  };

const lookUpEitherWay =
  (pairs: Pairs) =>
  (random: Random): Exercise => {
    const [a, b] = random.pick(pairs);
    return random.chance(0.5) ? { slots: { key: a }, answer: b } : { slots: { key: b }, answer: a };
  };

const capital: Task = {
  share: 5,
  wordings: [
    'What is the capital of {key}?',
    'Capital of {key}?',
    'Capital of {key}',
    'What is the capital city of {key}?',
    'Which city is the capital of {key}?',
    '{key}: capital?',
  ],
  heldOut: ['Name the capital of {key}', 'Tell me the capital city of {key}', 'I am looking for the capital of {key}'],
  make: lookUp(facts.CAPITALS),
};

const country: Task = {
  wordings: [
    '{value} is the capital of which country?',
    'Which country has the capital {value}?',
    'In which country is {value}?',
  ],
  heldOut: ['Of which country is {value} the capital?'],
  make(random) {
    const [key, value] = random.pick(facts.CAPITALS);
    return { slots: { value }, answer: key };
  },
};

const colour: Task = {
  share: 4,
  wordings: [
    'What color is the {key}?',
    'What colour is the {key}?',
    'What color is {article}?',
    'Color of the {key}?',
    'Which color does {article} have?',
    'Which colour is the {key}?',
  ],
  heldOut: ['Name the color of {article}', 'The {key} has which color?'],
  make(random) {
    const [key, value] = random.pick(facts.COLOURS);
    return { slots: { key, article: withArticle(key) }, answer: value };
  },
};

const opposite: Task = {
  share: 5,
  wordings: [
    'What is the opposite of {key}?',
    'Opposite of {key}',
    'Opposite of {key}?',
    'The opposite of {key} is',
    'Give the opposite of {key}',
    'What is not {key} but the opposite?',
  ],
  heldOut: ['Name the opposite of {key}', 'Which word means the opposite of {key}?', 'Tell me the opposite of "{key}"'],
  make: lookUpEitherWay(facts.OPPOSITES),
};

const sound: Task = {
  wordings: ['What does a {key} say?', 'What sound does a {key} make?', 'Which sound does the {key} make?'],
  heldOut: ['How does a {key} sound?'],
  make: lookUp(facts.SOUNDS),
};

const young: Task = {
  wordings: ['What is a young {key} called?', 'What is a baby {key} called?', 'Name for a young {key}?'],
  heldOut: ['How do you call a baby {key}?'],
  make: lookUp(facts.YOUNG),
};

const plural: Task = {
  share: 3,
  wordings: [
    'What is the plural of {key}?',
    'Plural of {key}',
    'Plural of {key}?',
    'Plural: {key}',
    'Give the plural of {key}',
    'One {key}, two what?',
  ],
  heldOut: ['Name the plural of {key}', 'Put {key} into the plural'],
  make(random) {
    if (random.chance(0.5)) return lookUp(facts.PLURALS)(random);
    const key = random.pick(REGULAR_NOUNS);
    return { slots: { key }, answer: `${key}s` };
  },
};

const REGULAR_NOUNS =
  'cat dog book car tree house bird boat star friend table chair river song apple egg king road door lamp'.split(' ');

const past: Task = {
  share: 2,
  wordings: [
    'What is the past of {key}?',
    'Past tense of {key}',
    'Past tense of {key}?',
    'Past of {key}',
    'Today I {key}, yesterday I',
  ],
  heldOut: ['Name the past tense of {key}', 'Put {key} into the past'],
  make: lookUp(facts.PASTS),
};

const howMany: Task = {
  share: 2,
  wordings: ['How many {key}?'],
  heldOut: ['Do you know how many {key}?', 'Tell me how many {key}'],
  make: lookUp(facts.COUNTS),
};

const translations: readonly (readonly [string, Pairs])[] = [
  ['French', facts.FRENCH],
  ['Spanish', facts.SPANISH],
  ['German', facts.GERMAN],
];

const translate: Task = {
  share: 3,
  wordings: [
    'Translate {key} to {language}',
    'Translate to {language}: {key}',
    'What is {key} in {language}?',
    '{key} in {language}?',
    'How do you say {key} in {language}?',
  ],
  heldOut: ['Render {key} in {language}', 'The {language} word for {key}?'],
  make(random) {
    const [language, pairs] = random.pick(translations);
    const [key, value] = random.pick(pairs);
    return { slots: { key, language }, answer: value };
  },
};

const KINDS = Object.keys(facts.CATEGORIES);

const category: Task = {
  share: 3,
  wordings: [
    'What is {article}?',
    'What kind of thing is {key}?',
    'Category of {key}?',
    'Is {key} an animal, a fruit, a tool or what?',
  ],
  heldOut: ['Which category does {key} belong to?', 'What sort of thing is {article}?'],
  make(random) {
    const kind = random.pick(['animal', 'fruit', 'tool', 'vehicle', 'instrument', 'drink', 'vegetable']);
    const key = random.pick(facts.CATEGORIES[kind] as readonly string[]);
    return { slots: { key, article: withArticle(key) }, answer: kind };
  },
};

const example: Task = {
  share: 4,
  wordings: [
    'Name {kind}',
    'Give me {kind}',
    'Tell me {kind}',
    'Say the name of {kind}',
    'Give an example of {kind}',
    'Write {kind}',
    'Think of {kind}',
  ],
  heldOut: ['Mention {kind}', 'I could do with {kind}', 'Can you name {kind}?'],
  make(random) {
    const kind = random.pick(KINDS);
    const members = facts.CATEGORIES[kind] as readonly string[];
    return { slots: { kind: withArticle(kind) }, answer: random.pick(members), alternatives: members };
  },
};

const oddOneOut: Task = {
  wordings: ['Which of these is {kind}: {list}?', 'Find {kind}: {list}', 'Which word is {kind}: {list}'],
  heldOut: ['One of these is {kind}, which: {list}?'],
  make(random) {
    const [kind, ...others] = random.sample(
      KINDS.filter((one) => !['vegetable', 'city', 'country'].includes(one)),
      3,
    ) as [string, string, string];
    const answer = random.pick(facts.CATEGORIES[kind] as readonly string[]);
    const list = random.shuffle([
      answer,
      ...others.map((other) => random.pick(facts.CATEGORIES[other] as readonly string[])),
    ]);
    return { slots: { kind: withArticle(kind), list: list.join(', ') }, answer };
  },
};

const rhymeless: Task = {
  wordings: [
    'Use the word {word} in a sentence',
    'Write a sentence with the word {word}',
    'Make a sentence with {word}',
  ],
  heldOut: ['Say something in which {word} occurs'],
  make(random) {
    const word = commonWord(random);
    return { slots: { word }, answer: `The word is ${word}.` };
  },
};

export const geographySkill = exerciseSkill('capitals', 4, [capital, country]);
export const colourSkill = exerciseSkill('colours', 2.5, [colour]);
export const oppositeSkill = exerciseSkill('opposites', 3, [opposite]);
export const wordFormSkill = exerciseSkill('word forms', 3, [plural, past]);
export const translationSkill = exerciseSkill('translation', 1.5, [translate]);
export const factSkill = exerciseSkill('facts', 2, [sound, young, howMany]);
export const categorySkill = exerciseSkill('categories', 5, [category, example, oddOneOut, rhymeless]);
