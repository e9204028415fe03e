import { candidates, defaultMetrics, requestedMetrics } from './chart-metrics.js';

describe('defaultMetrics', () => {
  it.each([
    [
      ['lr', 'train/entropy', 'train/loss', 'train/policy_loss', 'train/reward', 'val/reward'],
      ['train/reward', 'val/reward', 'train/loss'],
    ],
    [
      ['aux_loss', 'loss', 'policy_loss_b', 'reward', 'val/loss'],
      ['reward', 'val/loss', 'loss', 'aux_loss'],
    ],
    [['policy_loss'], ['policy_loss']],
    [
      ['a', 'b', 'c', 'd', 'e'],
      ['a', 'b', 'c', 'd'],
    ],
    [[], []],
  ])('of %j are %j', (names, chosen) => {
    expect(defaultMetrics(names, 4)).toEqual(chosen);
  });
});

describe('requestedMetrics', () => {
  const known = new Set(['loss', 'reward', 'a,b']);

  it.each([
    [['loss', 'reward'], 'loss reward'],
    [['reward,loss,'], 'reward loss'],
    [['a,b', 'loss,loss'], 'a,b loss'],
    [['a,c'], 'a c'],
  ])('reads %j', (values, names) => {
    expect(requestedMetrics(values, known).join(' ')).toBe(names);
  });

  it('can be told from the candidates that exist', () => {
    expect(candidates(['a,b', 'loss'])).toEqual(['a,b', 'loss', 'a', 'b']);
  });
});
