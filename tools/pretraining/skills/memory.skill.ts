import type { ChatMessage } from '../../../libs/engine/src/protocol/chat.js';
import { CATEGORIES, MAIN_COLOURS } from '../material/facts.js';
import type { Random } from '../material/random.js';
import { ask, fill, type Skill, type Task, vary } from '../material/skill.js';
import { capitalised, code, commonWord, inventedWord, NAMES } from '../material/words.js';

/** Something that a user tells, and what it is asked back by. */
interface Memory {
  tell: readonly string[];
  reply: string;
  ask: readonly string[];
  heldOut: readonly string[];
  value(random: Random): string;
}

const name = (random: Random): string => (random.chance(0.7) ? random.pick(NAMES) : capitalised(inventedWord(random)));

const MEMORIES: readonly Memory[] = [
  {
    tell: ['My name is {value}.', 'I am {value}.', 'Call me {value}.', "Hi, I'm {value}."],
    reply: 'Hello, {value}!',
    ask: ['What is my name?', 'Who am I?', 'Do you know my name?', 'How am I called?', 'My name?'],
    heldOut: ['Tell me my name', 'Which name did I give you?'],
    value: name,
  },
  {
    tell: [
      'The secret word is {value}.',
      'The password is {value}.',
      'Remember the word {value}.',
      'The code is {value}.',
    ],
    reply: 'OK.',
    ask: [
      'What is the secret word?',
      'What is the password?',
      'What was the word?',
      'What is the code?',
      'Which word did I tell you?',
    ],
    heldOut: ['Reveal what I gave you', 'What did I ask you to keep in mind?'],
    value: (random) => random.pick([commonWord, inventedWord, code])(random),
  },
  {
    tell: ['Remember the number {value}.', 'My number is {value}.', 'The number is {value}.'],
    reply: 'OK.',
    ask: ['What is the number?', 'Which number was it?', 'What number did I tell you?', 'The number?'],
    heldOut: ['Tell me the number from before'],
    value: (random) => String(random.between(0, random.pick([9, 99, 999]))),
  },
  {
    tell: ['My favorite color is {value}.', 'I like {value} most.', 'I love the color {value}.'],
    reply: 'OK.',
    ask: ['What is my favorite color?', 'Which color do I like?', 'What color do I love?'],
    heldOut: ['Name the color that I prefer'],
    value: (random) => random.pick(MAIN_COLOURS),
  },
  {
    tell: ['I live in {value}.', 'My home is {value}.', 'I am from {value}.'],
    reply: 'OK.',
    ask: ['Where do I live?', 'Where am I from?', 'Which city do I live in?', 'Where is my home?'],
    heldOut: ['Name the place I come from'],
    value: (random) => random.pick(CATEGORIES.city as readonly string[]),
  },
  {
    tell: ['My {pet} is called {value}.', 'I have a {pet}. Its name is {value}.'],
    reply: 'OK.',
    ask: ['What is my {pet} called?', "What is my {pet}'s name?", 'Name of my {pet}?'],
    heldOut: ['How did I name my {pet}?'],
    value: name,
  },
];

const turns = (pairs: readonly (readonly [string, string])[]): ChatMessage[] =>
  pairs.flatMap(([question, answer]): ChatMessage[] => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]);

/** Remembering what was told earlier; `between` may come between telling and asking. */
export function memorySkill(between: readonly Task[]): Skill {
  const aside = (random: Random): [string, string][] =>
    Array.from({ length: random.weighted([60, 30, 10]) }, () => {
      const { question, answer } = ask(random, between, 'corpus');
      return [question, answer];
    });

  return {
    name: 'memory',
    share: 4,
    heldOut: MEMORIES.flatMap((memory) => memory.heldOut),
    make(random, wordings) {
      const memory = random.pick(MEMORIES);
      const value = memory.value(random);
      const slots = { value, pet: random.pick(['dog', 'cat', 'horse', 'bird', 'fish']) };
      const told = fill(random.pick(memory.tell), slots);
      const question = fill(
        wordings === 'heldOut' ? random.pick(memory.heldOut) : vary(random, random.pick(memory.ask)),
        slots,
      );
      const said: [string, string][] = random.chance(0.3)
        ? [[`${told} ${question}`, value]]
        : [[told, fill(memory.reply, slots)], ...aside(random), [question, value]];
      return { skill: 'memory', messages: turns(said) };
    },
  };
}
