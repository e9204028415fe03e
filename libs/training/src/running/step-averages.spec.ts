import { StepAverages, trainMetrics } from './step-averages.js';

describe('StepAverages', () => {
  it('averages each metric over the steps that have it', () => {
    const averages = new StepAverages();
    averages.add({ loss: 1, entropy: 4 });
    averages.add({ loss: 2 });
    expect(averages.means).toEqual({ loss: 1.5, entropy: 4 });
  });

  it('has nothing to say without steps', () => {
    expect(new StepAverages().means).toEqual({});
  });
});

describe('trainMetrics', () => {
  it('puts what holds for the whole job before the mean of the steps', () => {
    expect(trainMetrics({ entropy: 1, reward: 0.1 }, { reward: 0.5 })).toEqual({
      'train/entropy': 1,
      'train/reward': 0.5,
    });
  });

  it('calls the policy loss the loss, unless there is one of that name', () => {
    expect(trainMetrics({ policy_loss: -1 }, {})).toEqual({ 'train/policy_loss': -1, 'train/loss': -1 });
    expect(trainMetrics({ policy_loss: -1, loss: 2 }, {})).toEqual({ 'train/policy_loss': -1, 'train/loss': 2 });
  });
});
