import { calendarSkill } from './skills/calendar.skill.js';
import { choiceSkill } from './skills/choice.skill.js';
import { copySkill } from './skills/copy.skill.js';
import { holdsDemoPrompt } from './material/demo-prompts.js';
import { followUpSkill, personaSkill, severalTurnsSkill } from './skills/dialogue.skill.js';
import { jsonSkill } from './skills/json.skill.js';
import {
  categorySkill,
  colourSkill,
  factSkill,
  geographySkill,
  oppositeSkill,
  translationSkill,
  wordFormSkill,
} from './skills/knowledge.skill.js';
import { letterCaseSkill, letterSkill, spellingSkill } from './skills/letters.skill.js';
import { listChangeSkill, listPartSkill } from './skills/list.skill.js';
import { MANNERS, instruct, neutralInstruction } from './material/manner.js';
import { memorySkill } from './skills/memory.skill.js';
import { arithmeticSkill, comparisonSkill, countingSkill } from './skills/number.skill.js';
import { sizeSkill, yesNoSkill } from './skills/question.skill.js';
import { Random } from './material/random.js';
import { randomPickSkill } from './skills/random-pick.skill.js';
import { rewritingSkill, textSkill } from './skills/rewriting.skill.js';
import {
  type AskedExercise,
  ask,
  type ExerciseSkill,
  type Skill,
  type TrainingChat,
  type WordingSet,
} from './material/skill.js';
import { smallTalkSkill, unknownSkill } from './skills/small-talk.skill.js';
import { toolSkill } from './skills/tool.skill.js';

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
