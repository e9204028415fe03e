import { calendarSkill } from './calendar.skill.js';
import { choiceSkill } from './choice.skill.js';
import { copySkill } from './copy.skill.js';
import { holdsDemoPrompt } from './demo-prompts.js';
import { followUpSkill, personaSkill, severalTurnsSkill } from './dialogue.skill.js';
import { jsonSkill } from './json.skill.js';
import {
  categorySkill,
  colourSkill,
  factSkill,
  geographySkill,
  oppositeSkill,
  translationSkill,
  wordFormSkill,
} from './knowledge.skill.js';
import { letterCaseSkill, letterSkill, spellingSkill } from './letters.skill.js';
import { listChangeSkill, listPartSkill } from './list.skill.js';
import { MANNERS, instruct, neutralInstruction } from './manner.js';
import { memorySkill } from './memory.skill.js';
import { arithmeticSkill, comparisonSkill, countingSkill } from './number.skill.js';
import { sizeSkill, yesNoSkill } from './question.skill.js';
import { Random } from './random.js';
import { randomPickSkill } from './random-pick.skill.js';
import { rewritingSkill, textSkill } from './rewriting.skill.js';
import {
  type AskedExercise,
  ask,
  type ExerciseSkill,
  type Skill,
  type TrainingChat,
  type WordingSet,
} from './skill.js';
import { smallTalkSkill, unknownSkill } from './small-talk.skill.js';
import { toolSkill } from './tool.skill.js';

const EXERCISES: readonly ExerciseSkill[] = [
  choiceSkill,
  copySkill,
  spellingSkill,
  letterCaseSkill,
  letterSkill,
  listPartSkill,
  listChangeSkill,
  arithmeticSkill,
  comparisonSkill,
  countingSkill,
  geographySkill,
  colourSkill,
  oppositeSkill,
  wordFormSkill,
  translationSkill,
  factSkill,
  categorySkill,
  yesNoSkill,
  sizeSkill,
  calendarSkill,
  randomPickSkill,
  rewritingSkill,
  textSkill,
  smallTalkSkill,
  unknownSkill,
  jsonSkill,
];

/** Questions whose answers are short and don't depend on who asks. */
const SHORT = [
  copySkill,
  letterSkill,
  arithmeticSkill,
  comparisonSkill,
  geographySkill,
  colourSkill,
  oppositeSkill,
  yesNoSkill,
  choiceSkill,
  calendarSkill,
].flatMap((skill) => skill.tasks);

/** Answers in the manner that the system turn, or the end of the question, asks for. */
const mannerSkill: Skill = {
  name: 'manners',
  share: 6,
  heldOut: MANNERS.flatMap((manner) => manner.heldOut),
  make(random, wordings) {
    const { question, answer, alternatives } = short(random);
    const { instruction, apply } = instruct(random, wordings);
    const inSystem = random.chance(0.6);
    return {
      skill: mannerSkill.name,
      messages: [
        ...(inSystem ? [{ role: 'system' as const, content: instruction }] : []),
        {
          role: 'user',
          content: inSystem ? question : `${question}${/[.?!]$/.test(question) ? '' : '.'} ${instruction}`,
        },
        { role: 'assistant', content: apply(answer) },
      ],
      alternatives: alternatives?.map(apply),
    };
  },
};

function short(random: Random): AskedExercise {
  for (;;) {
    const asked = ask(random, SHORT, 'corpus');
    if (asked.answer.length <= 30) return asked;
  }
}

export const SKILLS: readonly Skill[] = [
  ...EXERCISES,
  mannerSkill,
  memorySkill(SHORT),
  followUpSkill(SHORT),
  severalTurnsSkill(SHORT),
  personaSkill,
  toolSkill,
];

const SHARES = SKILLS.map((skill) => skill.share);
/** Of the chats that have no system turn of their own, so many get one that changes nothing. */
const NEUTRAL_SYSTEM = 0.09;

/** A chat of a random skill, or of the one named. It never holds a prompt of the demonstration. */
export function randomChat(random: Random, wordings: WordingSet = 'corpus', only?: Skill): TrainingChat {
  for (;;) {
    const skill = only ?? (SKILLS[random.weighted(SHARES)] as Skill);
    const chat = skill.make(random, wordings);
    if (chat.messages[0]?.role !== 'system' && !chat.tools && wordings === 'corpus' && random.chance(NEUTRAL_SYSTEM)) {
      chat.messages.unshift({ role: 'system', content: neutralInstruction(random) });
    }
    if (!chat.messages.some(({ content }) => typeof content === 'string' && holdsDemoPrompt(content))) return chat;
  }
}

/** The chats of a training step: the same seed and step give the same chats, so that a run can go on in the middle. */
export function chatsOfStep(seed: number, step: number, count: number): TrainingChat[] {
  const random = new Random(seed, step);
  return Array.from({ length: count }, () => randomChat(random));
}
