import type { ChatMessage, Tool } from '../../../libs/engine/src/protocol/chat.js';
import type { Random } from './random.js';

/** A conversation whose assistant turns are to be learned. */
export interface TrainingChat {
  skill: string;
  messages: ChatMessage[];
  tools?: Tool[];
  /** Answers that would be as right as the last message: these, and all that match the pattern. */
  alternatives?: readonly string[];
  pattern?: RegExp;
}

/** Held-out wordings are never in the corpus: they measure whether an instruction is understood or only recognised. */
export type WordingSet = 'corpus' | 'heldOut';

export interface Skill {
  readonly name: string;
  /** Chats of this skill, in proportion to the others' shares. */
  readonly share: number;
  /** Wordings of user or system turns that the corpus never uses, with `{slots}`. */
  readonly heldOut: readonly string[];
  make(random: Random, wordings: WordingSet): TrainingChat;
}

/** A question without its wording. */
export interface Exercise {
  /** What fills the `{slots}` of a wording. */
  slots: Readonly<Record<string, string>>;
  answer: string;
  /** Other right answers: these, and all that match the pattern. */
  alternatives?: readonly string[];
  pattern?: RegExp;
}

/** One thing that can be asked in several wordings. */
export interface Task {
  /** In proportion to the other tasks of the skill; default 1. */
  share?: number;
  wordings: readonly string[];
  heldOut: readonly string[];
  /** The end of the wording belongs to the exercise: no full stop comes or goes there. */
  exact?: boolean;
  make(random: Random): Exercise;
}

export interface AskedExercise {
  question: string;
  answer: string;
  alternatives?: readonly string[];
  pattern?: RegExp;
}

/** Puts a random exercise of the tasks into a random wording. */
export function ask(random: Random, tasks: readonly Task[], wordings: WordingSet): AskedExercise {
  const task = tasks[random.weighted(tasks.map((one) => one.share ?? 1))] as Task;
  const wording =
    wordings === 'heldOut' ? random.pick(task.heldOut) : vary(random, random.pick(task.wordings), task.exact);
  const { slots, ...rest } = task.make(random);
  return { question: fill(wording, slots), ...rest };
}

/** A skill that is one question and one short answer. */
export interface ExerciseSkill extends Skill {
  readonly tasks: readonly Task[];
}

export function exerciseSkill(name: string, share: number, tasks: readonly Task[]): ExerciseSkill {
  return {
    name,
    share,
    tasks,
    heldOut: tasks.flatMap((task) => task.heldOut),
    make(random, wordings) {
      const { question, answer, ...others } = ask(random, tasks, wordings);
      return {
        skill: name,
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', content: answer },
        ],
        ...others,
      };
    },
  };
}

/** @throws RangeError where the wording has a slot that nothing fills. */
export function fill(wording: string, slots: Readonly<Record<string, string>>): string {
  return wording.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new RangeError(`Nothing fills {${name}} in "${wording}".`);
    return value;
  });
}

/** The small liberties that people take with capitals, full stops and politeness; slots stay as they are. */
export function vary(random: Random, wording: string, exact = false): string {
  const isQuestion = wording.endsWith('?');
  let text = wording;
  if (random.chance(0.3)) text = lowerFirst(text);
  if (!exact) {
    if (/[\w}][?.]$/.test(text)) text = random.chance(0.25) ? text.slice(0, -1) : text;
    else if (text.endsWith('}') && random.chance(0.15)) text += '.';
  }
  // Not before mere words: nobody says "could you good morning".
  const isRequest = wording.length >= 18 || wording.includes('{');
  if (isRequest && random.chance(0.12)) text = polite(random, text, isQuestion);
  return text;
}

function polite(random: Random, text: string, isQuestion: boolean): string {
  const start = lowerFirst(text);
  if (isQuestion)
    return random.pick([`Please tell me: ${start}`, `Hey, ${start}`, `Quick question: ${start}`, `Tell me, ${start}`]);
  return random.pick([
    `Please ${start}`,
    `please ${start}`,
    `Now ${start}`,
    `Could you ${start}`,
    `I want you to ${start}`,
  ]);
}

function lowerFirst(text: string): string {
  // "I" stays a capital, and so does a word in capitals.
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
