import { CATEGORIES } from '../material/facts.js';
import type { Random } from '../material/random.js';
import { exerciseSkill, type Exercise, type Task } from '../material/skill.js';

const DAYS = CATEGORIES.day as readonly string[];
const MONTHS = CATEGORIES.month as readonly string[];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** The member of a circle that lies `offset` places on. */
const shifted =
  (offset: number) =>
  (random: Random): Exercise => {
    const circle = random.weighted([2, 2]) === 0 ? DAYS : MONTHS;
    const place = random.between(0, circle.length - 1);
    return {
      slots: { key: circle[place] as string, unit: circle === DAYS ? 'day' : 'month' },
      answer: circle[(place + offset + circle.length) % circle.length] as string,
    };
  };

const after: Task = {
  share: 3,
  wordings: [
    'What comes after {key}?',
    'Which {unit} comes after {key}?',
    'The {unit} after {key}',
    'Next {unit} after {key}?',
    'What {unit} follows {key}?',
  ],
  heldOut: ['After {key} comes which {unit}?', 'Name the {unit} that comes next after {key}'],
  make: shifted(1),
};

const before: Task = {
  share: 2,
  wordings: ['What comes before {key}?', 'Which {unit} comes before {key}?', 'The {unit} before {key}'],
  heldOut: ['Before {key} comes which {unit}?'],
  make: shifted(-1),
};

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
];

const nth: Task = {
  share: 2,
  wordings: [
    'What is the {ordinal} {unit} of the {whole}?',
    'Which is the {ordinal} {unit} of the {whole}?',
    '{ordinal} {unit} of the {whole}?',
  ],
  heldOut: ['Name the {ordinal} {unit} of the {whole}'],
  make(random) {
    const [circle, unit, whole] = random.pick([
      [DAYS, 'day', 'week'],
      [MONTHS, 'month', 'year'],
      [LETTERS.slice(0, 12), 'letter', 'alphabet'],
    ] as const);
    const place = random.between(0, circle.length - 1);
    return { slots: { ordinal: ORDINALS[place] as string, unit, whole }, answer: circle[place] as string };
  },
};

const letterAfter: Task = {
  wordings: ['Which letter comes after {key}?', 'Letter after {key}?', 'What letter follows {key}?'],
  heldOut: ['Name the letter that comes next after {key}'],
  make(random) {
    const place = random.between(0, 24);
    return { slots: { key: LETTERS[place] as string }, answer: LETTERS[place + 1] as string };
  },
};

const sequence: Task = {
  share: 2,
  wordings: ['Continue: {start}', 'What comes next: {start}', 'Go on: {start}', 'Next: {start}'],
  heldOut: ['How does it go on: {start}'],
  make(random) {
    const row = random.pick([DAYS, MONTHS, LETTERS]);
    const length = random.between(2, 4);
    const place = random.between(0, row.length - length - 1);
    return { slots: { start: row.slice(place, place + length).join(', ') }, answer: row[place + length] as string };
  },
};

const weekend: Task = {
  wordings: ['Is {key} on the weekend?', 'Is {key} a weekend day?'],
  heldOut: ['Does {key} belong to the weekend?'],
  make(random) {
    const key = random.chance(0.4) ? random.pick(['Saturday', 'Sunday']) : random.pick(DAYS);
    return { slots: { key }, answer: key.startsWith('S') ? 'yes' : 'no' };
  },
};

export const calendarSkill = exerciseSkill('days and months', 3, [after, before, nth, letterAfter, sequence, weekend]);
