import { indexJsonSync } from '@heddle/json';
import { applyUpdates, readUpdates } from './table-updates.js';

const updates = (...steps: object[]) => readUpdates(indexJsonSync(Buffer.from(JSON.stringify(steps)), { depth: 3 }));

describe('table updates', () => {
  it('count each index in the table as the steps before left it', () => {
    const digests = ['a', 'b'];
    const steps = updates(
      { insert: { index: 0, row: { n: 1 } } },
      { pop: { index: 2 } },
      { append: { row: { n: 2 } } },
      { pop: { index: 0 } },
    );
    expect(applyUpdates(digests, steps, ['x', 'y'])).toEqual(['x', 'b', 'y', 'x']);
    expect(digests).toEqual(['a', 'y']);
  });

  it('may insert at the end, and not beyond', () => {
    expect(applyUpdates(['a'], updates({ insert: { index: 1, row: {} } }), ['x'])).toEqual(['x']);
    expect(() => applyUpdates(['a'], updates({ insert: { index: 2, row: {} } }), ['x'])).toThrow('not in the table');
  });

  it.each([{ pop: {} }, { pop: { index: -1 } }, { insert: { index: 0 } }, { append: { row: [] } }, {}])(
    'refuse %j',
    (step) => {
      expect(() => updates(step)).toThrow();
    },
  );
});
