import { CATEGORIES } from '../material/facts.js';
import { jsonText } from '../material/json-text.js';
import type { Random } from '../material/random.js';
import { exerciseSkill, type Task } from '../material/skill.js';
import { commonWord, differentWords, inventedWord, NAMES, plainWord } from '../material/words.js';

const key = (random: Random): string =>
  random.pick([
    (r: Random) => r.pick(['answer', 'name', 'value', 'result', 'word', 'color', 'label', 'city', 'item']),
    commonWord,
    inventedWord,
  ])(random);

const person: Task = {
  share: 2,
  wordings: [
    'Extract name and age as JSON: {text}',
    'Name and age as JSON: {text}',
    'Write the name and the age as JSON: {text}',
    'JSON with name and age: {text}',
  ],
  heldOut: ['Turn into JSON (name, age): {text}'],
  make(random) {
    const name = random.pick(NAMES);
    const age = random.between(1, 99);
    const text = random.pick([
      `${name} is ${age} years old.`,
      `${name} is ${age}.`,
      `I am ${name} and I am ${age}.`,
      `${name}, ${age}`,
    ]);
    return { slots: { text }, answer: jsonText({ name, age }) };
  },
};

const place: Task = {
  wordings: [
    'Extract name and city as JSON: {text}',
    'Name and city as JSON: {text}',
    'JSON with name and city: {text}',
  ],
  heldOut: ['Turn into JSON (name, city): {text}'],
  make(random) {
    const name = random.pick(NAMES);
    const city = random.pick(CATEGORIES.city as readonly string[]);
    const text = random.pick([
      `${name} lives in ${city}.`,
      `I am ${name} from ${city}.`,
      `${name} comes from ${city}.`,
    ]);
    return { slots: { text }, answer: jsonText({ name, city }) };
  },
};

const entry: Task = {
  share: 3,
  wordings: [
    'JSON with {key} {value}',
    'Write JSON where {key} is {value}',
    'JSON: {key} = {value}',
    'Make a JSON object with the key {key} and the value {value}',
    'Write as JSON: {key}: {value}',
    '{key} is {value}, as JSON',
  ],
  heldOut: ['A JSON object in which {key} equals {value}', 'Encode in JSON that {key} is {value}'],
  make(random) {
    const name = key(random);
    const value = random.chance(0.3) ? random.between(0, 99) : plainWord(random);
    return { slots: { key: name, value: String(value) }, answer: jsonText({ [name]: value }) };
  },
};

const pair: Task = {
  share: 2,
  wordings: [
    'JSON: {a} = {x}, {b} = {y}',
    'Write JSON where {a} is {x} and {b} is {y}',
    'Write as JSON: {a}: {x}, {b}: {y}',
  ],
  heldOut: ['Encode in JSON that {a} is {x} and that {b} is {y}'],
  make(random) {
    const [a, b] = differentWords(random, 2, key) as [string, string];
    const value = () => (random.chance(0.4) ? random.between(0, 99) : plainWord(random));
    const [x, y] = [value(), value()];
    return { slots: { a, b, x: String(x), y: String(y) }, answer: jsonText({ [a]: x, [b]: y }) };
  },
};

const array: Task = {
  share: 2,
  wordings: [
    'Write as a JSON array: {list}',
    'JSON list: {list}',
    'As a JSON array: {list}',
    'Make a JSON list of {list}',
  ],
  heldOut: ['Encode as an array in JSON: {list}'],
  make(random) {
    const numbers = random.chance(0.3);
    const words = numbers
      ? Array.from({ length: random.between(2, 4) }, () => random.between(0, 50))
      : differentWords(random, random.between(2, 4), commonWord);
    return { slots: { list: words.join(', ') }, answer: jsonText(words) };
  },
};

const read: Task = {
  share: 2,
  wordings: ['What is {key} in {json}?', 'Read {key}: {json}', 'Get {key} from {json}', '{json} What is the {key}?'],
  heldOut: ['Look up {key} here: {json}'],
  make(random) {
    const names = differentWords(random, random.between(1, 3), key);
    const values = names.map(() => (random.chance(0.4) ? random.between(0, 99) : plainWord(random)));
    const at = random.between(0, names.length - 1);
    const json = jsonText(Object.fromEntries(names.map((name, i) => [name, values[i]])));
    return { slots: { key: names[at] as string, json }, answer: String(values[at]) };
  },
};

export const jsonSkill = exerciseSkill('JSON', 5, [person, place, entry, pair, array, read]);
