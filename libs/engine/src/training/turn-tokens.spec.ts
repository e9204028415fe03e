import type { ChatMessage, Choice } from '../protocol/chat.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { Trajectory } from '../protocol/train.js';
import { isTrainable, type SequenceLimits, trajectoryTokens } from './trajectory-tokens.js';

const user = (content: string): ChatMessage => ({ role: 'user', content });

/** The prompt of n messages is n times the token 50. */
const limits: SequenceLimits = {
  maxTokens: 100,
  vocabularySize: 100,
  allowWithoutLogprobs: false,
  encodePrompt: (messages) => messages.map(() => 50),
  encodeTurn: (messages) => ({ prompt: messages.slice(1).map(() => 50), completion: [60, 61] }),
};

const trajectory = (...items: (ChatMessage | Choice)[]): Trajectory => ({ messages_and_choices: items, reward: 1 });

function read(items: (ChatMessage | Choice)[], changed: Partial<SequenceLimits> = {}) {
  const { sequences, ...counts } = trajectoryTokens(trajectory(...items), { ...limits, ...changed }, 'here');
  return {
    ...counts,
    tokens: sequences.map((sequence) => [...sequence.tokens]),
    targets: sequences.map((sequence) => [...sequence.targets]),
    old: sequences.map((sequence) => Array.from(sequence.oldLogprobs, (logprob) => Math.round(logprob * 10) / 10)),
  };
}

describe('turns of the assistant that nobody sampled', () => {
  const turn: ChatMessage = { role: 'assistant', content: 'hello' };
  const allowed = { allowWithoutLogprobs: true };

  it('are trained on where log probabilities needn’t be: with the tokens of the chat template', () => {
    expect(read([user('a'), turn], allowed)).toMatchObject({
      tokens: [[50, 60, 61]],
      targets: [[1, 2]],
      old: [[NaN, NaN]],
    });
    expect(read([user('a'), { index: 0, message: turn }], allowed)).toMatchObject({ tokens: [[50, 60, 61]] });
    expect([isTrainable(trajectory(user('a'), turn), true), isTrainable(trajectory(user('a')), true)]).toEqual([
      true,
      false,
    ]);
  });

  it('are context elsewhere', () => {
    expect(read([user('a'), turn])).toMatchObject({ tokens: [], choices: 0 });
    expect(isTrainable(trajectory(user('a'), turn), false)).toBe(false);
    const recorded = { ...trajectory(user('a'), turn), trainedOnce: true };
    expect(isTrainable(recorded, true)).toBe(false);
    expect(trajectoryTokens(recorded, { ...limits, ...allowed }, '').choices).toBe(0);
  });

  it.each<[string, Partial<SequenceLimits>, ChatMessage[], string]>([
    ['at the very beginning', allowed, [], 'an empty prompt'],
    ['without tokens', { ...allowed, encodeTurn: () => ({ prompt: [1], completion: [] }) }, [user('a')], 'no tokens'],
    [
      'that the template refuses',
      {
        ...allowed,
        encodeTurn: () => {
          throw new EngineError('invalid_request', 'roles must alternate');
        },
      },
      [user('a')],
      'the chat template refuses what comes before',
    ],
  ])('are refused %s', (_, changed, before, reason) => {
    expect(read([...before, turn], changed)).toMatchObject({ tokens: [], choices: 1, refused: [reason] });
  });
});
