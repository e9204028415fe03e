import type { Engine } from '../../libs/engine/src/protocol/engine.js';
import type { GenerateEvent, GenerateRequest } from '../../libs/engine/src/protocol/generate.js';
import { demoPrompts } from './material/demo-prompts.js';
import { answerText } from './material/encode-chat.js';
import { type Generate, generateWith, isRight, scoreDemo, scoreSkills } from './evaluation.js';
import type { TrainingChat } from './material/skill.js';

const chat = (skill: string, question: string, answer: string, more: Partial<TrainingChat> = {}): TrainingChat => ({
  skill,
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
  ...more,
});

const tokens = (text: string) => [...Buffer.from(text), 257];

const answering =
  (...answers: string[]): Generate =>
  (prompts) =>
    Promise.resolve(prompts.map((_, place) => tokens(answers[place % answers.length]!)));

describe('scores of skills', () => {
  it('count the answers that are right to the letter, and show a wrong one', async () => {
    const chats = [
      chat('sums', '1 + 1', '2'),
      chat('sums', '2 + 2', '4'),
      chat('capitals', 'Capital of Cuba', 'Havana'),
    ];
    expect(await scoreSkills(answering('2', '5', 'Havana'), chats)).toEqual([
      { skill: 'sums', asked: 2, right: 1, example: { question: '2 + 2', expected: '4', answer: '5' } },
      { skill: 'capitals', asked: 1, right: 1 },
    ]);
  });

  it('take other right answers', () => {
    expect(isRight(chat('choice', 'a or b', 'a', { alternatives: ['a', 'b'] }), 'a', 'b')).toBe(true);
    expect(isRight(chat('choice', 'a or b', 'a', { alternatives: ['a', 'b'] }), 'a', 'c')).toBe(false);
    expect(isRight(chat('picks', 'a word', 'x', { pattern: /^[a-z]+$/ }), 'x', 'tree')).toBe(true);
    expect(isRight(chat('picks', 'a word', 'x', { pattern: /^[a-z]+$/ }), 'x', 'Two words')).toBe(false);
  });

  it('ask with the prompt of the chat template, and leave room for the longest answer', async () => {
    const seen: [string, number][] = [];
    await scoreSkills(
      (prompts, maxTokens) => {
        for (const prompt of prompts) seen.push([answerText(prompt), maxTokens]);
        return answering('')(prompts, maxTokens);
      },
      [chat('copy', 'Say abc', 'abc')],
    );
    expect(seen).toEqual([['<|im_start|>user\nSay abc\n<|im_start|>assistant\n', 12]]);
  });
});

describe('the score of the demonstration', () => {
  it('is the mean reward, and the share of each answer', async () => {
    const { reward, shares } = await scoreDemo(answering('yes', 'no', 'maybe', 'what'), 2);
    expect(reward).toBeCloseTo((0.5 + 0.75 + 1) / 4);
    expect(Object.keys(shares).toSorted()).toEqual(['maybe', 'no', 'what', 'yes']);
    for (const share of Object.values(shares)) expect(share).toBeCloseTo(0.25);
  });

  it('asks every prompt as often', async () => {
    let asked = 0;
    await scoreDemo((prompts, n) => ((asked = prompts.length), answering('no')(prompts, n)), 3);
    expect(asked).toBe(3 * demoPrompts().length);
  });
});

describe('completions by an engine', () => {
  it('collect the tokens of each prompt, drawn with a seed of its own', async () => {
    const requests: GenerateRequest[] = [];
    const token = (id: number) => ({ id, logprob: 0, top: [] });
    const engine: Pick<Engine, 'generate'> = {
      async *generate(request): AsyncGenerator<GenerateEvent> {
        requests.push(request);
        yield { type: 'tokens', choice: 0, tokens: [token(65), token(66)], text: 'AB' };
        yield { type: 'tokens', choice: 0, tokens: [token(257)], text: '' };
      },
    };
    expect(await generateWith(engine, 'base', 1)([[1], [2]], 9)).toEqual([
      [65, 66, 257],
      [65, 66, 257],
    ]);
    expect(requests.map(({ options }) => options)).toEqual([
      { temperature: 1, maxTokens: 9, seed: 0 },
      { temperature: 1, maxTokens: 9, seed: 1 },
    ]);
  });
});
