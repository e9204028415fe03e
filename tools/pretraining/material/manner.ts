import { jsonText } from './json-text.js';
import type { Random } from './random.js';
import { vary, type WordingSet } from './skill.js';
import { commonWord, inventedWord } from './words.js';

/** How answers are to be given: an instruction, and what it does to any short answer. */
export interface Manner {
  wordings: readonly string[];
  heldOut: readonly string[];
  slots?(random: Random): Record<string, string>;
  apply(answer: string, slots: Readonly<Record<string, string>>): string;
}

const word = (random: Random): string => (random.chance(0.6) ? commonWord(random) : inventedWord(random));
const withWord = (random: Random) => ({ word: word(random) });

export const MANNERS: readonly Manner[] = [
  {
    wordings: [
      'Answer in capitals.',
      'Answer in capital letters.',
      'Always answer in capital letters.',
      'Use capital letters only.',
      'Write every answer in upper case.',
      'You shout: answer in capitals.',
    ],
    heldOut: ['Reply in all caps.', 'Speak in upper case only.'],
    apply: (answer) => answer.toUpperCase(),
  },
  {
    wordings: [
      'Answer in lower case.',
      'Use small letters only.',
      'Never use capital letters.',
      'Write every answer in lower case.',
    ],
    heldOut: ['Reply without any capitals.'],
    apply: (answer) => answer.toLowerCase(),
  },
  {
    wordings: [
      'Answer in JSON.',
      'Answer as JSON.',
      'Answer with a JSON object.',
      'Answer only with JSON.',
      'Put the answer into JSON with the key answer.',
    ],
    heldOut: ['Reply using a JSON object.', 'Your output is JSON.'],
    apply: (answer) => jsonText({ answer }),
  },
  {
    wordings: [
      'Answer in JSON with the key {word}.',
      'Answer as JSON, key {word}.',
      'Put the answer into JSON under {word}.',
      'JSON only. The key is {word}.',
    ],
    heldOut: ['Reply using a JSON object whose key is {word}.'],
    slots: withWord,
    apply: (answer, slots) => jsonText({ [slots.word as string]: answer }),
  },
  {
    wordings: [
      'End every answer with an exclamation mark.',
      'Answer with an exclamation mark at the end.',
      'You are excited: put ! after every answer.',
    ],
    heldOut: ['Finish what you say by an exclamation mark.'],
    apply: (answer) => `${answer.replace(/[.!]$/, '')}!`,
  },
  {
    wordings: [
      'End every answer with {word}.',
      'Say {word} at the end of every answer.',
      'Always put {word} after the answer.',
      'Finish with the word {word}.',
    ],
    heldOut: ['The last word of what you say must be {word}.'],
    slots: withWord,
    apply: (answer, slots) => `${answer} ${slots.word}`,
  },
  {
    wordings: [
      'Begin every answer with {word}.',
      'Start with the word {word}.',
      'Always say {word} before the answer.',
      'Put {word} in front of every answer.',
    ],
    heldOut: ['The first word of what you say must be {word}.'],
    slots: withWord,
    apply: (answer, slots) => `${slots.word} ${answer}`,
  },
  {
    wordings: ['Put the answer in quotes.', 'Answer in quotes.', 'Always use quotes around the answer.'],
    heldOut: ['Quote what you reply.'],
    apply: (answer) => `"${answer}"`,
  },
  {
    wordings: ['Put the answer in brackets.', 'Answer in brackets.', 'Always use brackets around the answer.'],
    heldOut: ['Bracket what you reply.'],
    apply: (answer) => `(${answer})`,
  },
  {
    wordings: [
      'Answer in a full sentence.',
      'Answer with a sentence.',
      'Use whole sentences.',
      'Always answer in a full sentence.',
    ],
    heldOut: ['Reply by a complete sentence.'],
    apply: (answer) => `The answer is ${answer.replace(/[.!]$/, '')}.`,
  },
  {
    wordings: [
      'Say every answer twice.',
      'Answer twice.',
      'Repeat your answer once.',
      'Always say the answer two times.',
    ],
    heldOut: ['Give each reply double.'],
    apply: (answer) => `${answer} ${answer}`,
  },
  {
    wordings: [
      'Always answer {word}.',
      'Whatever I ask, say {word}.',
      'Ignore the question and say {word}.',
      'Your only answer is {word}.',
    ],
    heldOut: ['No matter what you are asked, the reply is {word}.'],
    slots: withWord,
    apply: (_, slots) => slots.word as string,
  },
];

/** System prompts that change nothing about a short answer. */
const NEUTRAL = [
  'You are a helpful assistant.',
  'You are a helpful assistant. Be brief.',
  'Be brief.',
  'You are Shuttle, a tiny language model.',
  'Answer in one word.',
  'Answer shortly.',
  'Keep it short.',
  'You answer questions.',
  'You are a careful assistant.',
  'Follow the instructions.',
  'Answer with the answer only.',
  'You play a game with the user.',
  'Just answer.',
];

export function neutralInstruction(random: Random): string {
  return random.pick(NEUTRAL);
}

/** A random manner in a random wording. */
export function instruct(
  random: Random,
  wordings: WordingSet,
): { instruction: string; apply: (answer: string) => string } {
  const manner = random.pick(MANNERS);
  const slots = manner.slots?.(random) ?? {};
  const wording = wordings === 'heldOut' ? random.pick(manner.heldOut) : vary(random, random.pick(manner.wordings));
  const instruction = wording.replace('{word}', () => (random.chance(0.3) ? `"${slots.word}"` : String(slots.word)));
  return { instruction, apply: (answer) => manner.apply(answer, slots) };
}
