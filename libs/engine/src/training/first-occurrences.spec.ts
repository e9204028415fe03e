import type { Choice } from '../protocol/chat.js';
import type { Trajectory } from '../protocol/train.js';
import { isTrainable, type SequenceLimits, trajectoryTokens } from './trajectory-tokens.js';

/** A choice with token ids; each token has the log probability -id / 10. */
function choice(prompt: number[], completion: number[], extra: Partial<Choice> = {}): Choice {
  return {
    index: 0,
    message: { role: 'assistant', content: 'x' },
    logprobs: { content: completion.map((id) => ({ token: 'x', logprob: -id / 10 })) },
    prompt_token_ids: prompt,
    token_ids: completion,
    ...extra,
  };
}

const refuse = (): never => {
  throw new Error('not needed: all have token ids');
};
const limits: SequenceLimits = {
  maxTokens: 100,
  vocabularySize: 100,
  allowWithoutLogprobs: false,
  encodePrompt: refuse,
  encodeTurn: refuse,
};
const trajectory = (...messages_and_choices: Choice[]): Trajectory => ({ messages_and_choices, reward: 1 });

describe('recorded histories', () => {
  const recorded = (...histories: Choice[][]): Trajectory => ({
    ...trajectory(...histories[0]!),
    additional_histories: histories.slice(1).map((messages_and_choices) => ({ messages_and_choices })),
    trainedOnce: true,
  });
  const targets = (trajectory: Trajectory) =>
    trajectoryTokens(trajectory, limits, '').sequences.map((sequence) => [[...sequence.tokens], [...sequence.targets]]);

  it('train what they share in the first of them', () => {
    const shared = choice([1], [2, 3]);
    const found = recorded([shared, choice([1, 2, 3, 4], [5])], [shared, choice([1, 2, 3, 6], [7])]);
    expect(targets(found)).toEqual([
      [
        [1, 2, 3, 4, 5],
        [1, 2, 4],
      ],
      [[1, 2, 3, 6, 7], [4]],
    ]);
    expect(targets({ ...found, trainedOnce: false })[1]).toEqual([
      [1, 2, 3, 6, 7],
      [1, 2, 4],
    ]);
  });

  it('train what the first had as context only, and nothing twice that was sampled twice', () => {
    expect(targets(recorded([choice([1, 2], [3])], [choice([1], [2, 4])], [choice([1], [2, 4])]))).toEqual([
      [[1, 2, 3], [2]],
      [
        [1, 2, 4],
        [1, 2],
      ],
    ]);
  });

  it('keep the log probabilities of what is left', () => {
    const [, second] = trajectoryTokens(recorded([choice([1], [2])], [choice([1], [2, 4])]), limits, '').sequences;
    expect(Array.from(second!.oldLogprobs, (logprob) => logprob.toFixed(1))).toEqual(['-0.4']);
  });

  it('say what of them was refused before', () => {
    const refused = { ...trajectory(), refused: ['it is of another model'] };
    expect(isTrainable(refused, false)).toBe(true);
    expect(trajectoryTokens(refused, limits, '')).toMatchObject({ choices: 1, refused: ['it is of another model'] });
  });

  it('are named in errors by the place where they were sent', () => {
    const places = ['exchanges.chat_completions[3].response.choices[0]'];
    const wrong = { ...trajectory(choice([1], [100])), places };
    expect(() => trajectoryTokens(wrong, limits, 'trajectories[2]')).toThrow(
      expect.objectContaining({ param: `trajectories[2].${places[0]}` }),
    );
  });
});
