import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { capitalised, commonWord, inventedWord, plainWord } from '../material/words.js';

const shortWord = (random: Random, longest: number): string => {
  for (;;) {
    const word = plainWord(random);
    if (word.length <= longest && /^[a-z]+$/.test(word)) return word;
  }
};

const onWord =
  (longest: number, answer: (word: string) => string) =>
  (random: Random): Exercise => {
    const word = shortWord(random, longest);
    return { slots: { word }, answer: answer(word) };
  };

const spell: Task = {
  share: 3,
  wordings: [
    'Spell {word}',
    'Spell the word {word}',
    'Spell "{word}"',
    'How do you spell {word}?',
    'Write {word} letter by letter',
    'Spell: {word}',
  ],
  heldOut: ['Which letters are in {word}?', 'Show me the spelling of {word}'],
  make: onWord(9, (word) => [...word].join(' ')),
};

const spellWithDashes: Task = {
  wordings: [
    'Spell {word} with dashes',
    'Put a dash between the letters of {word}',
    'Spell {word}, with - between the letters',
  ],
  heldOut: ['Separate the letters of {word} by dashes'],
  make: onWord(8, (word) => [...word].join('-')),
};

const unspell: Task = {
  wordings: [
    'Which word is this: {letters}',
    'Join the letters: {letters}',
    'Join: {letters}',
    'What do the letters {letters} spell?',
  ],
  heldOut: ['Put these letters together: {letters}'],
  make(random) {
    const word = shortWord(random, 8);
    return { slots: { letters: [...word].join(random.pick([' ', ' ', '-', ', '])) }, answer: word };
  },
};

const phrase = (random: Random): string =>
  Array.from({ length: random.weighted([0, 6, 3, 1]) }, () =>
    random.chance(0.7) ? commonWord(random) : inventedWord(random),
  ).join(' ');

const upper: Task = {
  share: 3,
  wordings: [
    'Uppercase {text}',
    'Uppercase: {text}',
    'Write in capitals: {text}',
    'Write {text} in capitals',
    'Write {text} in capital letters',
    'Make this upper case: {text}',
    'Put {text} in upper case',
    'Shout: {text}',
    'Say {text} in upper case',
  ],
  heldOut: ['Turn {text} into capital letters', 'Use all caps for {text}'],
  make(random) {
    const text = phrase(random);
    return { slots: { text: random.chance(0.8) ? text : `"${text}"` }, answer: text.toUpperCase() };
  },
};

const lower: Task = {
  share: 2,
  wordings: [
    'Lowercase {text}',
    'Lowercase: {text}',
    'Write in small letters: {text}',
    'Write {text} in lower case',
    'Put {text} in lower case',
  ],
  heldOut: ['Turn {text} into small letters'],
  make(random) {
    const text = phrase(random);
    return { slots: { text: random.chance(0.6) ? text.toUpperCase() : capitalised(text) }, answer: text };
  },
};

const capitalise: Task = {
  wordings: [
    'Capitalise {word}',
    'Capitalize {word}',
    'Write {word} with a capital',
    'Start {word} with a capital letter',
  ],
  heldOut: ['Make the first letter of {word} a capital'],
  make: onWord(10, capitalised),
};

const first: Task = {
  share: 2,
  wordings: [
    'What is the first letter of {word}?',
    'First letter of {word}',
    'Which letter does {word} start with?',
    'What letter does {word} begin with?',
  ],
  heldOut: ['The word {word} starts with which letter?', 'Name the letter at the start of {word}'],
  make: onWord(10, (word) => word.charAt(0)),
};

const last: Task = {
  share: 2,
  wordings: [
    'What is the last letter of {word}?',
    'Last letter of {word}',
    'Which letter does {word} end with?',
    'What letter is at the end of {word}?',
  ],
  heldOut: ['The word {word} ends in which letter?', 'Name the final letter of {word}'],
  make: onWord(10, (word) => word.charAt(word.length - 1)),
};

const count: Task = {
  share: 2,
  wordings: [
    'How many letters are in {word}?',
    'How many letters does {word} have?',
    'Count the letters in {word}',
    'Length of {word}?',
    'How long is the word {word}?',
  ],
  heldOut: ['Number of letters in {word}?', 'Give me the letter count of {word}'],
  make: onWord(9, (word) => String(word.length)),
};

const reverse: Task = {
  wordings: [
    'Reverse {word}',
    'Write {word} backwards',
    'Spell {word} backwards',
    'Reverse the letters of {word}',
    'What is {word} backwards?',
  ],
  heldOut: ['Write {word} from back to front'],
  make: onWord(5, (word) => [...word].reverse().join('')),
};

const contains: Task = {
  share: 2,
  wordings: [
    'Does {word} have the letter {letter}?',
    'Is there {letter} in {word}?',
    'Is the letter {letter} in {word}?',
    'Does {word} contain {letter}?',
  ],
  heldOut: ['Can you find {letter} in {word}?'],
  make(random) {
    const word = shortWord(random, 8);
    const letter = random.chance(0.5) ? random.pick([...word]) : random.pick([...'abcdefghiklmnoprstuwy']);
    return { slots: { word, letter }, answer: word.includes(letter) ? 'yes' : 'no' };
  },
};

const starts: Task = {
  wordings: ['Does {word} start with {letter}?', 'Does {word} begin with the letter {letter}?'],
  heldOut: ['Is {letter} the first letter of {word}?'],
  make(random) {
    const word = shortWord(random, 9);
    const letter = random.chance(0.5) ? word.charAt(0) : random.pick([...'abcdefghiklmnoprstuwy']);
    return { slots: { word, letter }, answer: word.startsWith(letter) ? 'yes' : 'no' };
  },
};

export const spellingSkill = exerciseSkill('spelling', 4, [spell, spellWithDashes, unspell, reverse]);
export const letterCaseSkill = exerciseSkill('letter case', 4, [upper, lower, capitalise]);
export const letterSkill = exerciseSkill('letters', 5, [first, last, count, contains, starts]);
