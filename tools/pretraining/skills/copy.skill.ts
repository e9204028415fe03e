import type { Random } from '../material/random.js';
import { exerciseSkill, type Task } from '../material/skill.js';
import { anyWord, capitalised, commonWord } from '../material/words.js';

function words(random: Random): string {
  const count = random.weighted([0, 30, 25, 18, 10, 7, 4, 3, 3]);
  const word = random.chance(0.5) ? anyWord : commonWord;
  return Array.from({ length: count }, () => word(random)).join(' ');
}

/** A short text as people write it: words, a sentence, a list, numbers. */
export function shortText(random: Random): string {
  switch (random.weighted([60, 15, 10, 10, 5])) {
    case 0:
      return words(random);
    case 1:
      return `${capitalised(words(random))}${random.pick(['.', '!', '?'])}`;
    case 2:
      return words(random).replaceAll(' ', ', ');
    case 3:
      return Array.from({ length: random.between(1, 4) }, () => String(random.between(0, 999))).join(' ');
    default:
      return words(random).replaceAll(' ', random.pick(['-', '_', '.', ': ', ' / ']));
  }
}

const repeat: Task = {
  share: 4,
  exact: true,
  wordings: [
    'Repeat: {text}',
    'Repeat {text}',
    'Repeat this: {text}',
    'Repeat after me: {text}',
    'Echo {text}',
    'Echo: {text}',
    'Copy: {text}',
    'Copy this text: {text}',
    'Write this down: {text}',
    'Say this again: {text}',
    'Say after me: {text}',
    'Repeat the following:\n{text}',
    'Copy this line:\n{text}',
  ],
  heldOut: ['Give back exactly this: {text}', 'Parrot: {text}'],
  make(random) {
    const text = shortText(random);
    return { slots: { text }, answer: text };
  },
};

// No commas here: "say a, b" is a choice.
const say: Task = {
  share: 3,
  exact: true,
  wordings: [
    'Say {text}',
    'Say: {text}',
    'Just say {text}',
    'Write {text}',
    'Write: {text}',
    'Print {text}',
    'Output: {text}',
    'Type {text}',
    'Respond with {text}',
    'Respond with: {text}',
    'Reply with: {text}',
    'Reply {text}',
    'Answer with: {text}',
    'Your answer must be: {text}',
    'Only say: {text}',
  ],
  heldOut: ['Tell me the words: {text}', 'Speak these words: {text}'],
  make(random) {
    const text = words(random);
    return { slots: { text }, answer: text };
  },
};

const quoted: Task = {
  share: 2,
  exact: true,
  wordings: [
    'Say "{text}"',
    "Say '{text}'",
    'Repeat "{text}"',
    'Write "{text}"',
    'Respond with "{text}"',
    "Just respond with '{text}'",
    "Reply with '{text}'",
    'Answer "{text}"',
    'Say the words "{text}".',
    'Repeat the text in quotes: "{text}"',
    'Print the word `{text}`',
  ],
  heldOut: ['What does "{text}" say?', "I say '{text}', and you say the same."],
  make(random) {
    const text = words(random);
    return { slots: { text }, answer: text };
  },
};

const times: Task = {
  share: 1,
  wordings: [
    'Say {word} {count} times',
    'Repeat {word} {count} times',
    'Write the word {word} {count} times',
    '{count} times {word}',
  ],
  heldOut: ['Please repeat the word {word}, {count} times over', 'I want to hear {word} {count} times'],
  make(random) {
    const count = random.between(2, 5);
    const word = commonWord(random);
    const shown = random.chance(0.5) ? String(count) : (['two', 'three', 'four', 'five'][count - 2] as string);
    return { slots: { word, count: shown }, answer: Array.from({ length: count }, () => word).join(' ') };
  },
};

/** Saying again what was given, whatever it is. */
export const copySkill = exerciseSkill('copy', 11, [repeat, say, quoted, times]);
