import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';
import { capitalised, inventedWord, NAMES } from '../material/words.js';

const answering = (answer: string) => (): Exercise => ({ slots: {}, answer });

const HELLO = 'Hello! How can I help?';
const ABOUT = 'I am Shuttle, a tiny language model.';
const UNKNOWN = "I don't know.";

const talk = (wordings: readonly string[], heldOut: readonly string[], answer: string, share = 1): Task => ({
  share,
  wordings,
  heldOut,
  make: answering(answer),
});

export const smallTalkSkill = exerciseSkill('small talk', 3, [
  talk(
    ['Hello', 'Hi', 'Hey', 'Hello!', 'Hi there', 'Hello there!', 'Good morning', 'Good evening'],
    ['Hello, Shuttle!', 'Hey there!'],
    HELLO,
    2,
  ),
  talk(
    ['Who are you?', 'What are you?', 'Tell me about yourself', 'What is your name?', 'Are you a model?'],
    ['Introduce yourself'],
    ABOUT,
    2,
  ),
  talk(['Thanks', 'Thank you', 'Thank you!', 'Thanks a lot', 'Thanks!'], ['Many thanks'], 'You are welcome.'),
  talk(['Goodbye', 'Bye', 'Bye!', 'See you', 'Good night', 'See you later'], ['Bye for now'], 'Goodbye!'),
  talk(
    ['How are you?', 'How are you doing?', 'Are you well?', "How's it going?"],
    ['How do you feel?'],
    'I am fine, thank you.',
  ),
  talk(
    ['Tell me a joke', 'Do you know a joke?', 'Make me laugh', 'A joke'],
    ['Say something funny'],
    'Why did the duck cross the road? To get to the river.',
  ),
  talk(
    ['What can you do?', 'How can you help me?', 'What are you good at?'],
    ['List your abilities'],
    'I answer short questions, choose, copy and count.',
  ),
  talk(['Sorry', 'I am sorry', 'My mistake'], ['Sorry about that'], 'No problem.'),
  talk(['ok', 'OK', 'Good', 'Great!', 'Nice', 'Well done'], ['Good job!'], 'Thank you!'),
  talk(
    ['help', 'Help me', 'Can you help me?', 'I need help'],
    ['I could use some help'],
    'Of course. What do you need?',
  ),
]);

const PRIVATE = [
  'What is my name?',
  'How old am I?',
  'Where do I live?',
  'What time is it?',
  'What day is it today?',
  'What is the weather like?',
  'What did I eat today?',
  'What am I thinking?',
  'Who will win tomorrow?',
  'What is the news?',
  'Where am I?',
  'What is my favorite color?',
  'What is my dog called?',
];

const PRIVATE_HELD_OUT = ['Guess my age', 'What is on the news today?', 'Where is my phone?'];

const ABOUT_NOTHING = [
  'What is the capital of {thing}?',
  'What color is the {thing}?',
  'Who is {name}?',
  'What is {thing}?',
  'What is the opposite of {thing}?',
  'What does {thing} mean?',
  'Where is {thing}?',
  'Translate {thing} to French',
];

export const unknownSkill = exerciseSkill('not knowing', 2, [
  talk(PRIVATE, PRIVATE_HELD_OUT, UNKNOWN),
  {
    wordings: ABOUT_NOTHING,
    heldOut: ['Name the capital of {thing}, please', 'Do you know what {thing} is?'],
    make(random: Random) {
      const thing = inventedWord(random) + inventedWord(random);
      return {
        slots: {
          thing: random.chance(0.5) ? capitalised(thing) : thing,
          name: `${random.pick(NAMES)} ${capitalised(inventedWord(random))}`,
        },
        answer: UNKNOWN,
      };
    },
  },
]);
