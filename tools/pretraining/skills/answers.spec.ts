import { choiceSkill } from './choice.skill.js';
import { copySkill } from './copy.skill.js';
import { jsonSkill } from './json.skill.js';
import { letterCaseSkill, letterSkill, spellingSkill } from './letters.skill.js';
import { listChangeSkill, listPartSkill } from './list.skill.js';
import { arithmeticSkill, comparisonSkill, countingSkill } from './number.skill.js';
import { yesNoSkill } from './question.skill.js';
import { Random } from '../material/random.js';
import { randomPickSkill } from './random-pick.skill.js';
import type { Skill } from '../material/skill.js';

interface Asked {
  question: string;
  answer: string;
  alternatives: readonly string[];
}

const cache = new Map<Skill, Asked[]>();

/** Questions of a skill, made once. */
function asked(skill: Skill, count = 3000): Asked[] {
  const random = new Random(77);
  const made =
    cache.get(skill) ??
    Array.from({ length: count }, () => {
      const { messages, alternatives } = skill.make(random, random.chance(0.2) ? 'heldOut' : 'corpus');
      const [question, answer] = messages.map(({ content }) => String(content)) as [string, string];
      return { question, answer, alternatives: alternatives ?? [] };
    });
  cache.set(skill, made);
  return made;
}

/** Checks the answers of all questions that `pattern` recognises, against what it makes of their parts. */
function check(
  exercises: readonly Asked[],
  pattern: RegExp,
  answer: (...parts: string[]) => string,
  atLeast = 30,
): void {
  const matching = exercises.filter(({ question }) => pattern.test(question));
  expect(matching.length).toBeGreaterThanOrEqual(atLeast);
  const wrong = matching
    .map(({ question, answer: given }) => ({
      question,
      given,
      right: answer(...(pattern.exec(question)?.slice(1) ?? [])),
    }))
    .filter(({ given, right }) => given !== right);
  expect(wrong).toEqual([]);
}

const words = (text: string) => text.split(/[ ,]+/);
const yesNo = (is: boolean) => (is ? 'yes' : 'no');

describe('answers, worked out again from the questions', () => {
  it('add, subtract and multiply', () => {
    const exercises = asked(arithmeticSkill);
    check(exercises, /^\D*(\d+) ?(?:\+|plus) ?(\d+)\D*$/, (a, b) => String(Number(a) + Number(b)), 300);
    check(exercises, /^\D*(\d+) ?(?:-|minus) ?(\d+)\D*$/, (a, b) => String(Number(a) - Number(b)), 300);
    check(exercises, /^\D*(\d+) ?(?:\*|x|times) ?(\d+)\D*$/, (a, b) => String(Number(a) * Number(b)), 200);
    check(exercises, /(\d+) \w+ and (?:loses|gave away) (\d+)/, (a, b) => String(Number(a) - Number(b)));
    check(exercises, /has (\d+) \w+ and gets (\d+)/, (a, b) => String(Number(a) + Number(b)));
    expect(exercises.filter(({ answer }) => answer.startsWith('-'))).toEqual([]);
  });

  it('compare and count', () => {
    check(asked(comparisonSkill), /(?:bigger|larger|greater|[Mm]ax)\D*?(\d+)(?:,? or |,? and |, )(\d+)/, (a, b) =>
      String(Math.max(Number(a), Number(b))),
    );
    check(asked(comparisonSkill), /[Ii]s (\d+) (?:bigger|greater|more) than (\d+)/, (a, b) =>
      yesNo(Number(a) > Number(b)),
    );
    check(asked(comparisonSkill), /[Ii]s (?:the number )?(\d+) (?:an )?even/, (a) => yesNo(Number(a) % 2 === 0));
    check(asked(countingSkill), /after (\d+)/, (a) => String(Number(a) + 1));
    check(asked(countingSkill), /before (\d+)/, (a) => String(Number(a) - 1));
    check(asked(countingSkill), /(?:continue|comes next|go on|row): (\d+(?:, \d+)+)/i, (list) => {
      const numbers = list.split(', ').map(Number);
      return String(numbers.at(-1)! + numbers[1]! - numbers[0]!);
    });
  });

  it('copy', () => {
    check(asked(copySkill), /^(?:repeat|echo|copy): ([^"]*)$/i, (text) => text, 100);
    check(asked(copySkill), /^(?:say|write|repeat) ["']([^"]*)["']$/i, (text) => text, 50);
    check(
      asked(copySkill),
      /^say (\w+) ([2-5]) times$/i,
      (word, count) => Array(Number(count)).fill(word).join(' '),
      3,
    );
  });

  it('look at letters', () => {
    check(asked(letterSkill), /(?<!is \w the )first letter of (\w+)/i, (word) => word[0]!);
    check(asked(letterSkill), /last letter of (\w+)/i, (word) => word.at(-1)!);
    check(asked(letterSkill), /how many letters (?:are in|does) (\w+)/i, (word) => String(word.length));
    check(asked(letterSkill), /does (\w+) have the letter (\w)/i, (word, letter) => yesNo(word.includes(letter)));
    check(asked(spellingSkill), /^spell:? "?([a-z]+)"?\.?$/i, (word) => [...word].join(' '));
    check(asked(spellingSkill), /^write (\w+) backwards/i, (word) => [...word].reverse().join(''), 10);
    check(asked(letterCaseSkill), /^uppercase:? "?([a-z ]+?)"?\.?$/i, (text) => text.toUpperCase());
    check(asked(letterCaseSkill), /^lowercase:? ([a-z ]+?)\.?$/i, (text) => text.toLowerCase());
  });

  it('take lists apart and change them', () => {
    check(asked(listPartSkill), /what is the first word: (.*?)\.?$/i, (list) => words(list)[0]!, 10);
    check(asked(listPartSkill), /what is the last word: (.*?)\.?$/i, (list) => words(list).at(-1)!, 10);
    check(asked(listPartSkill), /count the words: (.*?)\.?$/i, (list) => String(words(list).length), 10);
    check(asked(listChangeSkill), /sort these words: (.*?)\.?$/i, (list) => words(list).toSorted().join(', '), 10);
    check(
      asked(listChangeSkill),
      /remove (\w+) from (.*?)\.?$/i,
      (word, list) =>
        words(list)
          .filter((one) => one !== word)
          .join(', '),
      10,
    );
  });

  it('are JSON where JSON is asked for', () => {
    const exercises = asked(jsonSkill);
    check(
      exercises,
      /^(?:json:|write json where) (\w+) (?:=|is) ([a-z]+)\.?$/i,
      (key, value) => `{"${key}": "${value}"}`,
      5,
    );
    const broken = exercises.filter(({ answer }) => /^[{[]/.test(answer) && !isJson(answer));
    expect(broken).toEqual([]);
  });

  it('say yes as often as no', () => {
    const answers = asked(yesNoSkill).map(({ answer }) => answer);
    const yes = answers.filter((answer) => answer === 'yes').length / answers.length;
    expect(yes).toBeGreaterThan(0.42);
    expect(yes).toBeLessThan(0.62);
    expect(new Set(answers)).toEqual(new Set(['yes', 'no']));
  });
});

describe('a free choice', () => {
  const exercises = asked(choiceSkill, 10_000);
  const ofThree = exercises.filter(({ alternatives }) =>
    ['yes', 'no', 'maybe'].every((one) => alternatives.some((word) => word.toLowerCase() === one)),
  );
  const other = exercises.filter(({ alternatives }) => !alternatives.some((word) => /^(yes|no|maybe)$/i.test(word)));

  it('is one of the options, and they are all in the question', () => {
    const wrong = exercises.filter(
      ({ question, answer, alternatives }) =>
        !alternatives.includes(answer) || !alternatives.every((one) => question.includes(one)),
    );
    expect(wrong).toEqual([]);
  });

  it('is even over the places of other words', () => {
    for (const count of [2, 3, 4]) {
      const asked = other.filter(({ alternatives }) => alternatives.length === count);
      for (let place = 0; place < count; place++) {
        const share =
          asked.filter(({ answer, alternatives }) => alternatives.indexOf(answer) === place).length / asked.length;
        expect(Math.abs(share - 1 / count)).toBeLessThan(0.05);
      }
    }
  });

  it('prefers yes, and leaves maybe a chance, so that a reward has somewhere to go', () => {
    const share = (word: string) =>
      ofThree.filter(({ answer }) => answer.toLowerCase() === word).length / ofThree.length;
    expect(share('yes')).toBeCloseTo(0.62, 1);
    expect(share('no')).toBeCloseTo(0.26, 1);
    expect(share('maybe')).toBeCloseTo(0.12, 1);
    expect(share('yes') * 0.5 + share('no') * 0.75 + share('maybe')).toBeLessThan(0.7);
  });

  it('is even over numbers, coins and dice', () => {
    const dice = asked(randomPickSkill, 10_000).filter(({ alternatives }) => alternatives.join() === '1,2,3,4,5,6');
    const sixes = dice.filter(({ answer }) => answer === '6').length / dice.length;
    expect(Math.abs(sixes - 1 / 6)).toBeLessThan(0.05);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
