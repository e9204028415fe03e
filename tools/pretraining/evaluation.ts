import type { Engine } from '../../libs/engine/src/protocol/engine.js';
import { demoPrompts, demoReward } from './material/demo-prompts.js';
import { answerText, ChatWriter } from './material/encode-chat.js';
import type { TrainingChat } from './material/skill.js';

/** Completions of prompts, in their order, ends of turns included or not. */
export type Generate = (prompts: number[][], maxTokens: number) => Promise<number[][]>;

export interface SkillScore {
  skill: string;
  asked: number;
  /** Answers that are right to the letter. */
  right: number;
  /** One of the wrong ones. */
  example?: { question: string; expected: string; answer: string };
}

const MARGIN = 8;

/** How many last answers the model gives right when it always takes the likeliest token. */
export async function scoreSkills(generate: Generate, chats: readonly TrainingChat[]): Promise<SkillScore[]> {
  const written = chats.map((chat) => new ChatWriter(chat));
  const longest = Math.max(...written.map((one) => one.answer().length));
  const answers = await generate(
    written.map((one) => one.prompt()),
    longest + MARGIN,
  );
  const scores = new Map<string, SkillScore>();
  for (const [place, chat] of chats.entries()) {
    const score = scores.get(chat.skill) ?? { skill: chat.skill, asked: 0, right: 0 };
    scores.set(chat.skill, score);
    const expected = answerText((written[place] as ChatWriter).answer());
    const answer = answerText(answers[place] ?? []);
    score.asked++;
    if (isRight(chat, expected, answer)) score.right++;
    else
      score.example ??= {
        question: String(chat.messages.findLast(({ role }) => role === 'user')?.content),
        expected,
        answer,
      };
  }
  return [...scores.values()];
}

export function isRight(chat: TrainingChat, expected: string, answer: string): boolean {
  return answer === expected || (chat.alternatives?.includes(answer) ?? false) || (chat.pattern?.test(answer) ?? false);
}

export interface DemoScore {
  /** Mean reward, 0 to 1: what reinforcement learning starts from. */
  reward: number;
  /** Share of each answer. */
  shares: Readonly<Record<string, number>>;
}

/** Samples answers to the demonstration's prompts; `sample` must draw at temperature 1. */
export async function scoreDemo(sample: Generate, rollouts: number): Promise<DemoScore> {
  const prompts = demoPrompts().flatMap((content) => {
    const prompt = new ChatWriter({
      skill: 'demo',
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: '' },
      ],
    }).prompt();
    return Array.from({ length: rollouts }, () => prompt);
  });
  const answers = (await sample(prompts, 12)).map(answerText);
  const shares: Record<string, number> = {};
  for (const answer of answers) shares[answer] = (shares[answer] ?? 0) + 1 / answers.length;
  return { reward: answers.reduce((sum, answer) => sum + demoReward(answer), 0) / answers.length, shares };
}

/** Completions by an engine, many at once; at temperature 1 the place of a prompt is the seed of its completion. */
export function generateWith(engine: Pick<Engine, 'generate'>, base: string, temperature: 0 | 1): Generate {
  const complete = async (tokenIds: number[], maxTokens: number, seed: number): Promise<number[]> => {
    const ids: number[] = [];
    const options = { temperature, maxTokens, seed };
    for await (const event of engine.generate({ base, adapter: null, prompt: { tokenIds }, options })) {
      if (event.type === 'tokens') ids.push(...event.tokens.map(({ id }) => id));
    }
    return ids;
  };
  return (prompts, maxTokens) => Promise.all(prompts.map((prompt, seed) => complete(prompt, maxTokens, seed)));
}
