import type { ChatMessage, Choice } from '../protocol/chat.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { Trajectory } from '../protocol/train.js';
import { isTrainable, type SequenceLimits, trajectoryTokens } from './trajectory-tokens.js';

const user = (content: string): ChatMessage => ({ role: 'user', content });

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

const byName = (ids: number[]): Partial<Choice> => ({
  logprobs: { content: ids.map((id) => ({ token: `token_id:${id}`, logprob: -1 })) },
  prompt_token_ids: null,
  token_ids: null,
});

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

describe('a history', () => {
  it('is rendered with its own tools and variables of the template', () => {
    const seen: unknown[] = [];
    const noting: SequenceLimits = {
      ...limits,
      allowWithoutLogprobs: true,
      encodePrompt: (_, context) => (seen.push(context), [50]),
      encodeTurn: (_, context) => (seen.push(context), { prompt: [50], completion: [60] }),
    };
    const templateVariables = { enable_thinking: false };
    const items = [user('a'), choice([], [], byName([1])), { role: 'assistant', content: 'b' } as const];
    trajectoryTokens({ messages_and_choices: items, templateVariables, reward: 1 }, noting, '');
    trajectoryTokens({ messages_and_choices: items.slice(0, 2), reward: 1 }, noting, '');
    expect(seen).toEqual([{ tools: null, templateVariables }, { tools: null, templateVariables }, { tools: null }]);
  });
});

describe('one choice', () => {
  it('is trained on with the ids that the server sent', () => {
    expect(read([user('hi'), choice([1, 2], [3, 4])])).toEqual({
      tokens: [[1, 2, 3, 4]],
      targets: [[2, 3]],
      old: [[-0.3, -0.4]],
      choices: 1,
      refused: [],
      truncated: 0,
      dropped: 0,
    });
  });

  it('is trained on with token_id:N strings after a prompt from the chat template', () => {
    const { tokens, targets } = read([user('a'), user('b'), choice([], [], byName([7, 8]))]);
    expect([tokens, targets]).toEqual([[[50, 50, 7, 8]], [[2, 3]]]);
  });

  it('sees earlier choices as messages in the chat template', () => {
    const seen: ChatMessage[][] = [];
    const encodePrompt = (messages: ChatMessage[]) => {
      seen.push(messages);
      return [1];
    };
    read([user('a'), choice([], [], byName([7])), user('b'), choice([], [], byName([8]))], { encodePrompt });
    expect(seen.map((messages) => messages.map(({ role }) => role))).toEqual([['user'], ['user', 'assistant', 'user']]);
  });

  it('has missing log probabilities where they are null', () => {
    const logprobs = {
      content: [
        { token: 'x', logprob: null },
        { token: 'y', logprob: -0.5 },
      ],
    };
    expect(read([choice([1], [2, 3], { logprobs })]).old).toEqual([[NaN, -0.5]]);
  });

  it('may be a refusal', () => {
    const logprobs = { content: [], refusal: [{ token: 'no', logprob: -0.5 }] };
    expect(read([choice([1], [2], { logprobs })]).old).toEqual([[-0.5]]);
  });

  it('is only context without log probabilities, unless that is allowed', () => {
    const bare = [user('hi'), choice([1], [2], { logprobs: null })];
    expect(read(bare)).toMatchObject({ tokens: [], choices: 0, refused: [] });
    expect(read(bare, { allowWithoutLogprobs: true })).toMatchObject({ tokens: [[1, 2]], old: [[NaN]] });
    expect(isTrainable(trajectory(...bare), false)).toBe(false);
    expect(isTrainable(trajectory(...bare), true)).toBe(true);
  });

  it.each<[string, Choice, string]>([
    ['without ids', choice([], [5], { token_ids: null }), 'no token ids'],
    [
      'with only some token_id:N',
      choice([], [], {
        ...byName([1]),
        token_ids: [1],
        prompt_token_ids: null,
        logprobs: {
          content: [
            { token: 'token_id:1', logprob: -1 },
            { token: 'b', logprob: -1 },
          ],
        },
      }),
      'no token ids',
    ],
    [
      'with too few log probabilities',
      choice([1], [2, 3], { logprobs: { content: [{ token: 'x', logprob: -1 }] } }),
      'differ in number',
    ],
    ['without tokens', choice([1], []), 'no tokens'],
    ['without prompt', choice([], [2]), 'an empty prompt'],
  ])('is refused %s', (_, refused, reason) => {
    expect(read([user('hi'), refused])).toMatchObject({
      tokens: [],
      choices: 1,
      refused: [expect.stringContaining(reason)],
    });
  });

  it('is refused where the chat template refuses what comes before', () => {
    const encodePrompt = () => {
      throw new EngineError('invalid_request', 'roles must alternate');
    };
    const { refused } = read([user('a'), choice([], [], byName([7]))], { encodePrompt });
    expect(refused).toEqual(['the chat template refuses what comes before']);
  });

  it.each([
    [[1], [100]],
    [[-1], [2]],
    [[1.5], [2]],
    [['3' as unknown as number], [2]],
  ])('with ids %j, %j outside the vocabulary is an error that names it', (prompt, completion) => {
    const place = 'trajectory_groups[1].trajectories[2].additional_histories[0].messages_and_choices[1]';
    const nested = {
      ...trajectory(user('a')),
      additional_histories: [trajectory(user('a'), choice(prompt, completion))],
    };
    expect(() => trajectoryTokens(nested, limits, 'trajectory_groups[1].trajectories[2]')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: place }),
    );
  });
});

describe('several choices', () => {
  it('are one sequence while each prompt begins with all that came before', () => {
    const { tokens, targets, old } = read([user('a'), choice([1], [2, 3]), user('b'), choice([1, 2, 3, 4], [5])]);
    expect(tokens).toEqual([[1, 2, 3, 4, 5]]);
    expect(targets).toEqual([[1, 2, 4]]);
    expect(old).toEqual([[-0.2, -0.3, -0.5]]);
  });

  it('begin a new sequence where the prompt has other tokens', () => {
    const { tokens, targets } = read([user('a'), choice([1], [2, 3]), user('b'), choice([1, 2, 9, 4], [5])]);
    expect(tokens).toEqual([
      [1, 2, 3],
      [1, 2, 9, 4, 5],
    ]);
    expect(targets).toEqual([[1, 2], [4]]);
  });

  it('go on past one that is refused', () => {
    const result = read([user('a'), choice([1], [2]), choice([1, 2], [], {}), choice([1, 2, 3], [4])]);
    expect(result).toMatchObject({ tokens: [[1, 2, 3, 4]], choices: 3, refused: ['no tokens'] });
  });

  it('of additional histories are further sequences', () => {
    const more = { ...trajectory(choice([1], [2])), additional_histories: [trajectory(choice([1, 2], [3]))] };
    expect(trajectoryTokens(more, limits, '').sequences.map(({ tokens }) => [...tokens])).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
  });
});

describe('too long sequences', () => {
  const items = [choice([1, 2], [3, 4]), choice([1, 2, 3, 4, 5], [6, 7])];

  it.each([
    [6, [1, 2, 3, 4, 5, 6], [2, 3, 5]],
    [5, [1, 2, 3, 4, 5], [2, 3]],
    [3, [1, 2, 3], [2]],
  ])('are cut at the end: to %i tokens', (maxTokens, tokens, targets) => {
    expect(read(items, { maxTokens })).toMatchObject({
      tokens: [tokens],
      targets: [targets],
      truncated: 1,
      dropped: 0,
    });
  });

  it('are dropped where no target is left', () => {
    expect(read(items, { maxTokens: 2 })).toMatchObject({ tokens: [], truncated: 0, dropped: 1 });
  });
});
