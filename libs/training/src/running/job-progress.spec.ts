import { JobProgress } from './job-progress.js';

describe('JobProgress', () => {
  it('tells how many steps there are, what is known of the data, and what is not done as asked', () => {
    const progress = new JobProgress(['Ignored settings: a']);
    const metrics = { reward: 0.5, num_sequences: 99 };
    expect(progress.add({ type: 'started', numSequences: 2, warnings: ['b'], metrics })).toEqual({
      position: 0,
      type: 'training_started',
      data: { num_sequences: 2, reward: 0.5, warnings: ['Ignored settings: a', 'b'] },
    });
  });

  it('has no warnings where there are none', () => {
    const told = new JobProgress([]).add({ type: 'started', numSequences: 0, warnings: [], metrics: {} });
    expect(told!.data).toEqual({ num_sequences: 0 });
  });

  it('numbers steps from 1, and tells finite numbers only', () => {
    const metrics = { policy_loss: -1, entropy: NaN, kl_div: Infinity };
    expect(new JobProgress([]).add({ type: 'step', index: 4, metrics })).toEqual({
      position: 5,
      type: 'gradient_step',
      data: { policy_loss: -1 },
    });
  });

  it('ends with the step of the checkpoint, and the reason where nothing was learnt', () => {
    const progress = new JobProgress([]);
    progress.add({ type: 'started', numSequences: 1, warnings: [], metrics: { reward: 0.5 } });
    progress.add({ type: 'step', index: 0, metrics: { policy_loss: 2 } });
    expect(progress.add({ type: 'ended', metrics: { tokens_per_second: 9 }, reason: 'No logprobs' })).toBeNull();
    expect(progress.endingAt(3)).toEqual({
      state: 'FINISHED',
      error: null,
      step: 3,
      event: { type: 'training_ended', data: { step: 3, reward: 0.5, tokens_per_second: 9, reason: 'No logprobs' } },
    });
    expect(progress.metrics).toEqual({
      'train/loss': 2,
      'train/policy_loss': 2,
      'train/reward': 0.5,
      'train/tokens_per_second': 9,
    });
  });
});
