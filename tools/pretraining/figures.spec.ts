import { demoLine, skillTable } from './figures.js';

describe('the figures of the model card', () => {
  it('are a row for each skill, and one for all', () => {
    const loss = {
      mix: 0.4,
      skills: [
        { skill: 'sums', corpus: 0.1, heldOut: 0.25 },
        { skill: 'copy', corpus: 0, heldOut: 0 },
      ],
    };
    const table = skillTable(
      loss,
      [
        { skill: 'sums', asked: 4, right: 3 },
        { skill: 'copy', asked: 4, right: 4 },
      ],
      [{ skill: 'sums', asked: 4, right: 1 }],
    );
    expect(table.split('\n').slice(2)).toEqual([
      '| sums | 0.100 | 0.250 | 75 % | 25 % |',
      '| copy | 0.000 | 0.000 | 100 % |  |',
      '| all | | | 88 % | 25 % |',
    ]);
  });

  it('tell what the demonstration starts from', () => {
    expect(demoLine({ reward: 0.6449, shares: { yes: 0.6, maybe: 0.1, 'no way': 0.3 } })).toBe(
      '0.645 mean reward; yes 60 %, no 0 %, maybe 10 %, other 30 %',
    );
  });
});
