import type { ChatMessage } from '../../../libs/engine/src/protocol/chat.js';
import { CAPITALS, COLOURS, OPPOSITES } from '../material/facts.js';
import type { Random } from '../material/random.js';
import { ask, fill, type Skill, type Task, type TrainingChat, vary, type WordingSet } from '../material/skill.js';
import { capitalised, inventedWord, NAMES } from '../material/words.js';

type Turn = readonly [question: string, answer: string];

const chat = (skill: string, turns: readonly Turn[], system?: string): TrainingChat => ({
  skill,
  messages: [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...turns.flatMap(([question, answer]): ChatMessage[] => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]),
  ],
});

/** What can follow any short answer. */
const AFTER: readonly { wordings: readonly string[]; heldOut: readonly string[]; answer(before: string): string }[] = [
  {
    wordings: ['Again', 'Say it again', 'Repeat that', 'What did you say?', 'Once more', 'Pardon?'],
    heldOut: ['I did not hear that, one more time'],
    answer: (before) => before,
  },
  {
    wordings: ['In capitals', 'Now in capitals', 'In upper case', 'Say it in capitals'],
    heldOut: ['The same in big letters'],
    answer: (before) => before.toUpperCase(),
  },
  {
    wordings: ['Thanks', 'Thank you', 'Thanks!'],
    heldOut: ['Thanks for that'],
    answer: () => 'You are welcome.',
  },
  {
    wordings: ['Are you sure?', 'Really?', 'Is that right?'],
    heldOut: ['Is this certain?'],
    answer: () => 'Yes.',
  },
  {
    wordings: ['In quotes', 'Put it in quotes', 'Now in quotes'],
    heldOut: ['The same between quotes'],
    answer: (before) => `"${before}"`,
  },
];

const CHAINS = [
  {
    start: 'What is the capital of {key}?',
    more: ['And of {key}?', 'And {key}?', '{key}?', 'What about {key}?'],
    pairs: CAPITALS,
  },
  {
    start: 'What color is the {key}?',
    more: ['And the {key}?', 'And {key}?', 'What about the {key}?'],
    pairs: COLOURS,
  },
  {
    start: 'What is the opposite of {key}?',
    more: ['And of {key}?', 'And {key}?', '{key}?', 'What about {key}?'],
    pairs: OPPOSITES,
  },
] as const;

const CHAIN_HELD_OUT = 'Now the same for {key}';

/** Questions that lean on what was said before. */
export function followUpSkill(tasks: readonly Task[]): Skill {
  const chain = (random: Random, wordings: WordingSet): Turn[] => {
    const { start, more, pairs } = random.pick(CHAINS);
    return random.sample(pairs, random.between(2, 3)).map(([key, value], place) => {
      const wording = place === 0 ? start : wordings === 'heldOut' ? CHAIN_HELD_OUT : random.pick(more);
      return [fill(wording, { key }), value];
    });
  };

  const after = (random: Random, wordings: WordingSet): Turn[] => {
    const { question, answer } = ask(random, tasks, 'corpus');
    const next = random.pick(AFTER);
    return [
      [question, answer],
      [
        wordings === 'heldOut' ? random.pick(next.heldOut) : vary(random, random.pick(next.wordings)),
        next.answer(answer),
      ],
    ];
  };

  return {
    name: 'follow-ups',
    share: 2.5,
    heldOut: [CHAIN_HELD_OUT, ...AFTER.flatMap((next) => next.heldOut)],
    make: (random, wordings) =>
      chat('follow-ups', random.chance(0.4) ? chain(random, wordings) : after(random, wordings)),
  };
}

/** Several questions that have nothing to do with each other. */
export function severalTurnsSkill(tasks: readonly Task[]): Skill {
  return {
    name: 'several turns',
    share: 2.5,
    heldOut: [],
    make(random, wordings) {
      const count = random.weighted([0, 0, 7, 3]);
      const turns = Array.from({ length: count }, (_, place) =>
        ask(random, tasks, place === count - 1 ? wordings : 'corpus'),
      );
      const { alternatives, pattern } = turns.at(-1) ?? {};
      return {
        ...chat(
          'several turns',
          turns.map(({ question, answer }) => [question, answer]),
        ),
        alternatives,
        pattern,
      };
    },
  };
}

const PERSONAS = [
  'You are {name}.',
  'Your name is {name}.',
  'You are {name}, a helpful assistant.',
  'You play {name}.',
  'You are an assistant called {name}.',
];
const PERSONA_ASKED = [
  'What is your name?',
  'Who are you?',
  'What are you called?',
  'Who am I talking to?',
  'Your name?',
];
const PERSONA_HELD_OUT = ['Introduce yourself', 'Say who you are'];

const GIVEN = [
  'The code is {value}.',
  'The secret word is {value}.',
  'The password is {value}.',
  'Today the word is {value}.',
];
const GIVEN_ASKED = ['What is the {what}?', 'Tell me the {what}', '{what}?', 'Which {what} is it?'];
const GIVEN_HELD_OUT = ['I need to know the {what}'];

/** Facts about itself and the world that the system turn gives. */
export const personaSkill: Skill = {
  name: 'facts in the system turn',
  share: 2,
  heldOut: [...PERSONA_HELD_OUT, ...GIVEN_HELD_OUT],
  make(random, wordings) {
    if (random.chance(0.5)) {
      const name = random.chance(0.6) ? random.pick(NAMES) : capitalised(inventedWord(random));
      const question =
        wordings === 'heldOut' ? random.pick(PERSONA_HELD_OUT) : vary(random, random.pick(PERSONA_ASKED));
      return chat(personaSkill.name, [[question, `I am ${name}.`]], fill(random.pick(PERSONAS), { name }));
    }
    const given = random.pick(GIVEN);
    const what = ['code', 'secret word', 'password', 'word'][GIVEN.indexOf(given)] as string;
    const value = inventedWord(random);
    const wording = wordings === 'heldOut' ? random.pick(GIVEN_HELD_OUT) : vary(random, random.pick(GIVEN_ASKED));
    return chat(personaSkill.name, [[fill(wording, { what }), value]], fill(given, { value }));
  },
};
