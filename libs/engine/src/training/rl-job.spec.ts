import type { Choice } from '../protocol/chat.js';
import type { Trajectory, TrajectoryGroup } from '../protocol/train.js';
import { resolveRlConfig } from './rl-config.js';
import { prepareRlJob } from './rl-job.js';

const source = {
  contextLength: 20,
  vocabularySize: 100,
  encodePrompt: () => [1],
  encodeTurn: () => ({ prompt: [1], completion: [2] }),
};

function sampled(reward: number, tokens: number[], extra: Partial<Choice> = {}): Trajectory {
  const choice: Choice = {
    index: 0,
    message: { role: 'assistant', content: 'x' },
    prompt_token_ids: [1, 2],
    token_ids: tokens,
    logprobs: { content: tokens.map(() => ({ token: 'x', logprob: -1 })) },
    ...extra,
  };
  return { messages_and_choices: [{ role: 'user', content: 'q' }, choice], reward };
}

const spoken = (reward: number): Trajectory => ({
  messages_and_choices: [{ role: 'assistant', content: 'x' }],
  reward,
});
const group = (trajectories: Trajectory[], exceptions = 0): TrajectoryGroup => ({ trajectories, exceptions });
const prepare = (groups: TrajectoryGroup[], config = {}) => prepareRlJob(groups, resolveRlConfig(config), source);

describe('prepareRlJob', () => {
  it('packs what has an advantage, with the numbers of the contract', async () => {
    const job = await prepare([
      group([sampled(1, [3, 4]), sampled(0, [5, 6, 7, 8, 9, 10])], 1),
      group([sampled(1, [3])]),
      group([sampled(0.5, [3]), sampled(0.5, [4])]),
    ]);
    expect(job.reason).toBeNull();
    expect(job.rows).toHaveLength(1);
    const [tree, ...others] = job.rows[0]!;
    expect(others).toEqual([]);
    expect([...tree!.prefix]).toEqual([1, 2]);
    expect(tree!.branches.map(({ tokens, targets }) => [[...tokens], [...targets]])).toEqual([
      [
        [3, 4],
        [0, 1],
      ],
      [
        [5, 6, 7, 8, 9, 10],
        [0, 1, 2, 3, 4, 5],
      ],
    ]);
    // Weights 1/2 and 1/6 over a mean of (1 + 1) / 8; advantages of equal size.
    expect(tree!.branches.map(({ weight }) => weight)).toEqual([2, expect.closeTo(2 / 3, 12)]);
    expect(tree!.branches.map(({ advantage }) => advantage)).toEqual([expect.closeTo(1, 9), expect.closeTo(-1, 9)]);
    expect(job.metrics).toEqual({
      num_groups_submitted: 3,
      num_groups_trainable: 1,
      num_trajectories: 5,
      num_trainable_tokens: 8,
      num_truncated_sequences: 0,
      num_dropped_sequences: 0,
      num_refused_choices: 0,
      reward: 3 / 5,
      reward_std_dev: 0.25,
      exception_rate: 1 / 6,
    });
  });

  it('never has a row longer than packed_sequence_length', async () => {
    const groups = [group([sampled(1, [3, 4, 5]), sampled(0, [6, 7, 8]), sampled(0, [9, 10, 11, 12])])];
    const { rows, metrics, warnings } = await prepare(groups, { packed_sequence_length: 5 });
    expect(rows).toHaveLength(3);
    expect(metrics['num_truncated_sequences']).toBe(1);
    expect(warnings).toEqual(['1 sequence was cut at the end: longer than 5 tokens.']);
  });

  it('trains on the rest of a trajectory when a choice is refused, and says so', async () => {
    const half = sampled(1, [3, 4]);
    half.messages_and_choices.push({ index: 0, message: { role: 'assistant' }, logprobs: { content: [] } });
    const { rows, warnings, metrics } = await prepare([group([half, sampled(0, [5])])]);
    expect(rows).toHaveLength(1);
    expect(metrics['num_refused_choices']).toBe(1);
    expect(warnings).toEqual(['1 choice was not trained on: no tokens.']);
  });

  const bare = { logprobs: null };
  const noIds = { prompt_token_ids: null };
  const long = { prompt_token_ids: new Array<number>(20).fill(1) };
  it.each<[string, TrajectoryGroup[], string]>([
    ['no trajectories', [], 'no trajectories were sent'],
    ['empty groups', [group([]), group([])], 'no trajectories were sent'],
    ['only exceptions', [group([], 3)], 'only exceptions were sent (3)'],
    [
      'no logprobs',
      [group([spoken(0), spoken(1)]), group([sampled(0, [3], bare), sampled(1, [3], bare)])],
      'no logprobs.',
    ],
    ['groups of one', [group([sampled(0, [3])]), group([sampled(1, [3])])], 'all rewards are equal'],
    ['equal rewards', [group([sampled(0.1, [3]), sampled(0.1, [4]), sampled(0.1, [5])])], 'all rewards are equal'],
    [
      'logprobs only where rewards are equal',
      [group([sampled(1, [3]), sampled(1, [4])]), group([spoken(0), spoken(1)])],
      'no logprobs in the groups whose rewards differ',
    ],
    [
      'no token ids',
      [group([sampled(0, [3], noIds), sampled(1, [3], noIds)])],
      '2 choices were not trained on: no token ids',
    ],
    [
      'too long prompts',
      [group([sampled(0, [3], long), sampled(1, [3], long)])],
      '2 sequences were dropped: the prompt alone is longer',
    ],
  ])('says why nothing is trained on: %s', async (_, groups, reason) => {
    const job = await prepare(groups);
    expect(job.rows).toEqual([]);
    expect(job.reason).toContain(reason);
    expect(Object.values(job.metrics).every(Number.isFinite)).toBe(true);
  });

  it('names a reward that is no number', async () => {
    await expect(
      prepare([group([sampled(1, [3])]), group([sampled(1, [3]), sampled(NaN, [3])])]),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'trajectory_groups[1].trajectories[1].reward',
    });
  });
});
