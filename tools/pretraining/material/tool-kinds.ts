import type { Tool } from '../../../libs/engine/src/protocol/chat.js';
import { CATEGORIES } from './facts.js';
import type { Random } from './random.js';
import { capitalised, commonWord, inventedWord, NAMES, NOUNS, plainWord } from './words.js';

/** A function that can be offered, with requests that it serves. */
export interface ToolKind {
  name: string;
  description: string;
  parameters: Readonly<Record<string, 'string' | 'integer'>>;
  /** Requests with a `{slot}` for each parameter. */
  wordings: readonly string[];
  heldOut: readonly string[];
  arguments(random: Random): Record<string, string | number>;
  /** What a call may bring back. */
  result(random: Random): string | number;
}

const CITIES = [
  ...(CATEGORIES.city as readonly string[]),
  'New York',
  'Hamburg',
  'Sydney',
  'Boston',
  'Lagos',
  'Porto',
  'Seoul',
  'Dublin',
];

const city = (random: Random): string => (random.chance(0.8) ? random.pick(CITIES) : capitalised(inventedWord(random)));
const number = (random: Random): number => random.between(0, random.pick([10, 30, 99, 999]));
const phrase = (random: Random): string =>
  Array.from({ length: random.between(1, 3) }, () => plainWord(random)).join(' ');

const KNOWN: readonly ToolKind[] = [
  {
    name: 'get_weather',
    description: 'Weather in a city',
    parameters: { city: 'string' },
    wordings: [
      'What is the weather in {city}?',
      'Weather in {city}?',
      'How is the weather in {city}?',
      'Is it cold in {city}?',
    ],
    heldOut: ['Will I need an umbrella in {city}?', 'Tell me about the weather in {city}'],
    arguments: (random) => ({ city: city(random) }),
    result: (random) =>
      random.pick(['sunny', 'rain', 'snow', 'cloudy', 'windy', 'fog', `${random.between(-9, 35)} degrees`]),
  },
  {
    name: 'get_time',
    description: 'Time in a city',
    parameters: { city: 'string' },
    wordings: ['What time is it in {city}?', 'Time in {city}?', 'How late is it in {city}?'],
    heldOut: ['Which hour is it in {city}?'],
    arguments: (random) => ({ city: city(random) }),
    result: (random) => `${random.between(0, 23)}:${String(random.between(0, 59)).padStart(2, '0')}`,
  },
  {
    name: 'add',
    description: 'Add two numbers',
    parameters: { a: 'integer', b: 'integer' },
    wordings: ['What is {a} + {b}?', 'Add {a} and {b}', 'Compute {a} plus {b}'],
    heldOut: ['Work out the sum of {a} and {b}'],
    arguments: (random) => ({ a: number(random), b: number(random) }),
    result: number,
  },
  {
    name: 'set_timer',
    description: 'Start a timer',
    parameters: { minutes: 'integer' },
    wordings: ['Set a timer for {minutes} minutes', 'Timer: {minutes} minutes', 'Start a timer of {minutes} minutes'],
    heldOut: ['Wake me in {minutes} minutes'],
    arguments: (random) => ({ minutes: random.between(1, 90) }),
    result: (random) => random.pick(['ok', 'started', 'done']),
  },
  {
    name: 'search',
    description: 'Search the web',
    parameters: { query: 'string' },
    wordings: ['Search for {query}', 'Look up {query}', 'Search the web for {query}', 'Find {query} on the web'],
    heldOut: ['Google {query} for me'],
    arguments: (random) => ({ query: phrase(random) }),
    result: phrase,
  },
  {
    name: 'send_message',
    description: 'Send a message to somebody',
    parameters: { to: 'string', text: 'string' },
    wordings: ['Tell {to}: {text}', 'Send {to} the message {text}', 'Write to {to}: {text}'],
    heldOut: ['Let {to} know this: {text}'],
    arguments: (random) => ({ to: random.pick(NAMES), text: phrase(random) }),
    result: (random) => random.pick(['sent', 'ok', 'done']),
  },
  {
    name: 'turn_on',
    description: 'Switch a device on',
    parameters: { device: 'string' },
    wordings: ['Turn on the {device}', 'Switch the {device} on', 'I need the {device} on'],
    heldOut: ['Get the {device} running'],
    arguments: (random) => ({ device: random.pick(NOUNS) }),
    result: (random) => random.pick(['on', 'ok', 'done']),
  },
  {
    name: 'get_price',
    description: 'Price of an item',
    parameters: { item: 'string' },
    wordings: ['How much is the {item}?', 'What does the {item} cost?', 'Price of the {item}?'],
    heldOut: ['What must I pay for the {item}?'],
    arguments: (random) => ({ item: random.pick(NOUNS) }),
    result: number,
  },
  {
    name: 'save_note',
    description: 'Save a note',
    parameters: { text: 'string' },
    wordings: ['Note: {text}', 'Save a note: {text}', 'Write down {text}'],
    heldOut: ['Remind me of this later: {text}'],
    arguments: (random) => ({ text: phrase(random) }),
    result: (random) => random.pick(['saved', 'ok', 'done']),
  },
];

/** A function of a name never seen before: what it is called and takes must be read from its signature. */
function inventedTool(random: Random): ToolKind {
  const verb = random.pick([
    'get',
    'find',
    'set',
    'make',
    'open',
    'check',
    'start',
    'read',
    'show',
    'count',
    inventedWord(random),
  ]);
  const noun = random.chance(0.6) ? commonWord(random) : inventedWord(random);
  const parameter = random.pick([
    'name',
    'id',
    'value',
    'key',
    'word',
    'amount',
    'text',
    commonWord(random),
    inventedWord(random),
  ]);
  const isNumber = random.chance(0.3);
  return {
    name: `${verb}_${noun}`,
    description: capitalised(`${verb} the ${noun}`),
    parameters: { [parameter]: isNumber ? 'integer' : 'string' },
    wordings: [
      `${capitalised(verb)} the ${noun}: {${parameter}}`,
      `${capitalised(verb)} the ${noun} {${parameter}}`,
      `Use ${verb}_${noun} with ${parameter} {${parameter}}`,
      `Call ${verb}_${noun}: {${parameter}}`,
    ],
    heldOut: [`I want to ${verb} the ${noun} of {${parameter}}`],
    arguments: (r) => ({ [parameter]: isNumber ? number(r) : plainWord(r) }),
    result: (r) => (r.chance(0.5) ? number(r) : plainWord(r)),
  };
}

/** Held-out requests of the known tools. */
export const TOOL_HELD_OUT: readonly string[] = KNOWN.flatMap((kind) => kind.heldOut);

/** Different tools, known and invented. */
export function toolKinds(random: Random, count: number): ToolKind[] {
  const invented = Array.from({ length: count }, () => random.chance(0.5)).filter(Boolean).length;
  const kinds = [
    ...random.sample(KNOWN, count - invented),
    ...Array.from({ length: invented }, () => inventedTool(random)),
  ];
  return new Set(kinds.map((kind) => kind.name)).size === count ? random.shuffle(kinds) : toolKinds(random, count);
}

export function offered(kind: ToolKind): Tool {
  const properties = Object.fromEntries(Object.entries(kind.parameters).map(([name, type]) => [name, { type }]));
  return {
    type: 'function',
    function: {
      name: kind.name,
      description: kind.description,
      parameters: { type: 'object', properties, required: Object.keys(kind.parameters) },
    },
  };
}
