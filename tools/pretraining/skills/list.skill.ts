import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { anyWord, commonWord, differentWords, NAMES } from '../material/words.js';

function items(random: Random, longest = 5): string[] {
  const word = random.pick([
    commonWord,
    commonWord,
    anyWord,
    (r: Random) => r.pick(NAMES),
    (r: Random) => String(r.between(0, 99)),
  ]);
  return differentWords(random, random.between(2, longest), word);
}

const onItems =
  (answer: (items: string[]) => string, longest = 5) =>
  (random: Random): Exercise => {
    const words = items(random, longest);
    return { slots: { list: words.join(random.pick([', ', ', ', ' '])) }, answer: answer(words) };
  };

const first: Task = {
  share: 2,
  wordings: [
    'What is the first word: {list}',
    'First word of: {list}',
    'Give me the first of these: {list}',
    'Say only the first word: {list}',
    'Which comes first here: {list}',
  ],
  heldOut: ['Tell me the word at the start: {list}', 'Only the first item, please: {list}'],
  make: onItems((words) => words[0] as string),
};

const last: Task = {
  share: 2,
  wordings: [
    'What is the last word: {list}',
    'Last word of: {list}',
    'Give me the last of these: {list}',
    'Say only the last word: {list}',
    'Which comes last here: {list}',
  ],
  heldOut: ['Tell me the word at the end: {list}', 'Only the last item, please: {list}'],
  make: onItems((words) => words.at(-1) as string),
};

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

const nth: Task = {
  share: 2,
  wordings: [
    'What is the {ordinal} word: {list}',
    'Give me the {ordinal} of these: {list}',
    'Say the {ordinal} word: {list}',
    '{ordinal} of: {list}',
  ],
  heldOut: ['Which is the {ordinal} item: {list}'],
  make(random) {
    const words = items(random);
    const place = random.between(0, words.length - 1);
    return { slots: { list: words.join(', '), ordinal: ORDINALS[place] as string }, answer: words[place] as string };
  },
};

const count: Task = {
  share: 2,
  wordings: [
    'How many words: {list}',
    'Count the words: {list}',
    'How many words are there: {list}',
    'How many items: {list}',
    'Count these: {list}',
  ],
  heldOut: ['What is the number of words here: {list}'],
  make: onItems((words) => String(words.length), 7),
};

const sort: Task = {
  share: 2,
  wordings: [
    'Sort: {list}',
    'Sort these words: {list}',
    'Put in alphabetical order: {list}',
    'Sort alphabetically: {list}',
    'Order by alphabet: {list}',
  ],
  heldOut: ['Arrange from a to z: {list}'],
  make(random) {
    const words = differentWords(random, random.between(2, 4), commonWord);
    return { slots: { list: words.join(', ') }, answer: words.toSorted().join(', ') };
  },
};

const sortNumbers: Task = {
  wordings: ['Sort: {list}', 'Sort these numbers: {list}', 'Put in order: {list}', 'Sort from small to large: {list}'],
  heldOut: ['Arrange the numbers by size: {list}'],
  make(random) {
    const numbers = differentWords(random, random.between(2, 4), (r) => String(r.between(0, 20)));
    return {
      slots: { list: numbers.join(', ') },
      answer: numbers.toSorted((a, b) => Number(a) - Number(b)).join(', '),
    };
  },
};

const reverse: Task = {
  share: 2,
  wordings: [
    'Reverse the list: {list}',
    'Reverse the order: {list}',
    'Say these words in reverse order: {list}',
    'List these backwards: {list}',
  ],
  heldOut: ['The other way round: {list}'],
  make(random) {
    const words = items(random, 4);
    const separator = random.pick([', ', ' ']);
    return { slots: { list: words.join(separator) }, answer: words.toReversed().join(separator) };
  },
};

const contains: Task = {
  share: 2,
  wordings: ['Is {word} in this list: {list}?', 'Does the list {list} have {word}?', 'Is {word} one of {list}?'],
  heldOut: ['Can you see {word} here: {list}?'],
  make(random) {
    const words = items(random, 4);
    const word = random.chance(0.5) ? random.pick(words) : commonWord(random);
    return { slots: { list: words.join(', '), word }, answer: words.includes(word) ? 'yes' : 'no' };
  },
};

const remove: Task = {
  share: 2,
  wordings: [
    'Remove {word}: {list}',
    'Remove {word} from {list}',
    'Leave out {word}: {list}',
    'Take {word} away from: {list}',
  ],
  heldOut: ['Drop {word} from this list: {list}'],
  make(random) {
    const words = differentWords(random, random.between(2, 4), commonWord);
    const word = random.pick(words);
    return { slots: { list: words.join(', '), word }, answer: words.filter((other) => other !== word).join(', ') };
  },
};

const append: Task = {
  wordings: ['Add {word} to the end: {list}', 'Add {word} to {list}', 'Append {word} to the list {list}'],
  heldOut: ['Put {word} after these: {list}'],
  make(random) {
    const words = differentWords(random, random.between(2, 4), commonWord);
    const word = words.pop() as string;
    return { slots: { list: words.join(', '), word }, answer: [...words, word].join(', ') };
  },
};

const join: Task = {
  share: 2,
  wordings: [
    'Join with {mark}: {list}',
    'Put {mark} between the words: {list}',
    'Write with {mark} between the words: {list}',
  ],
  heldOut: ['Separate the words by {mark}: {list}'],
  make(random) {
    const words = differentWords(random, random.between(2, 4), commonWord);
    const [name, mark] = random.pick([
      ['dashes', '-'],
      ['commas', ', '],
      ['slashes', '/'],
      ['dots', '.'],
      ['"and"', ' and '],
      ['+', '+'],
    ] as const);
    return { slots: { list: words.join(' '), mark: name }, answer: words.join(mark) };
  },
};

const longest: Task = {
  wordings: ['Which word is longest: {list}', 'The longest word of {list}', 'Longest word: {list}'],
  heldOut: ['Which of these has the most letters: {list}'],
  make: (random) => byLength(random, (a, b) => b.length - a.length),
};

const shortest: Task = {
  wordings: ['Which word is shortest: {list}', 'The shortest word of {list}', 'Shortest word: {list}'],
  heldOut: ['Which of these has the fewest letters: {list}'],
  make: (random) => byLength(random, (a, b) => a.length - b.length),
};

function byLength(random: Random, compare: (a: string, b: string) => number): Exercise {
  for (;;) {
    const words = differentWords(random, random.between(2, 3), commonWord);
    const [best, next] = words.toSorted(compare) as [string, string];
    if (best.length !== next.length) return { slots: { list: words.join(', ') }, answer: best };
  }
}

export const listPartSkill = exerciseSkill('parts of lists', 5, [first, last, nth, count, contains, longest, shortest]);
export const listChangeSkill = exerciseSkill('changing lists', 4, [sort, sortNumbers, reverse, remove, append, join]);
