import { TrajectoryStatistics } from './trajectory-statistics.js';

const statistics = (...groups: [rewards: number[], exceptions?: number][]): TrajectoryStatistics => {
  const all = new TrajectoryStatistics();
  for (const [rewards, exceptions = 0] of groups) all.addGroup(rewards, exceptions);
  return all;
};

describe('TrajectoryStatistics', () => {
  it('means rewards over trajectories, not over groups', () => {
    expect(
      statistics([[1]], [[0, 0, 0]])
        .means()
        .get('reward'),
    ).toBe(0.25);
  });

  it('means standard deviations over groups of more than one', () => {
    // Population: of 0 and 2 it is 1; of three equal ones 0; a group of one has none.
    expect(
      statistics([[0, 2]], [[5, 5, 5]], [[9]])
        .means()
        .get('reward_std_dev'),
    ).toBe(0.5);
    expect(
      statistics([[9]])
        .means()
        .has('reward_std_dev'),
    ).toBe(false);
  });

  it('counts exceptions among all rollouts', () => {
    expect(
      statistics([[1, 1], 1], [[], 1])
        .means()
        .get('exception_rate'),
    ).toBe(0.5);
    expect(
      statistics([[1]])
        .means()
        .get('exception_rate'),
    ).toBe(0);
  });

  it('says nothing of nothing', () => {
    expect([...statistics([[]]).means()]).toEqual([]);
    expect(statistics([[]]).groups).toBe(1);
  });

  it('means a metric over the trajectories that have it', () => {
    const all = statistics([[0, 0, 0]]);
    all.addMetric('is_correct', 1);
    all.addMetric('is_correct', 0);
    expect(all.means().get('is_correct')).toBe(0.5);
  });

  it("knows better than a trajectory's own metric what the reward is", () => {
    const all = statistics([[1]]);
    all.addMetric('reward', 7);
    expect(all.means().get('reward')).toBe(1);
  });

  it('leaves out what is no number any more', () => {
    expect(
      statistics([[Number.MAX_VALUE, Number.MAX_VALUE]])
        .means()
        .has('reward'),
    ).toBe(false);
  });

  it('names metrics after the split', () => {
    expect(statistics([[1, 0], 2]).metricsOf('val')).toEqual({
      'val/reward': 0.5,
      'val/reward_std_dev': 0.5,
      'val/exception_rate': 0.5,
    });
  });
});
