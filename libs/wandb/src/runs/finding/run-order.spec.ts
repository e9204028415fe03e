import { type RunRow, runValues } from './run-fields.js';
import { comparePositions, cursorOf, readCursor, readRunOrder, type RunPosition } from './run-order.js';

const created = '2026-01-31T12:00:00.000000Z';
const position = (value: unknown, id: string): RunPosition => ({ value, created, id });

describe('the order of runs', () => {
  const SUMMARIES = {
    none: '{}',
    nan: '{"loss": NaN}',
    told: '{"loss": "NaN"}',
    down: '{"loss": -Infinity}',
    one: '{"loss": 1}',
    text: '{"loss": "low"}',
    up: '{"loss": Infinity}',
    object: '{"loss": {"min": 1}}',
    two: '{"loss": 2}',
  };
  const positions = Object.entries(SUMMARIES).map(([id, summary]) =>
    position(runValues({ summary } as RunRow)('summary_metrics.loss'), id),
  );

  /** Names of the runs, whatever order they come in. */
  function sorted(text: string): string[] {
    const order = readRunOrder(text);
    const orders = positions.map((_, n) =>
      [...positions.slice(n), ...positions.slice(0, n)]
        .sort((a, b) => comparePositions(order, a, b))
        .map(({ id }) => id),
    );
    for (const other of orders) expect(other).toEqual(orders[0]);
    return orders[0]!;
  }

  it('has NaN behind all values, whichever way it goes, and what is missing behind that', () => {
    const upwards = ['down', 'one', 'two', 'up', 'text', 'object'];
    expect(sorted('+summary_metrics.loss')).toEqual([...upwards, 'nan', 'told', 'none']);
    expect(sorted('-summary_metrics.loss')).toEqual([...upwards.toReversed(), 'told', 'nan', 'none']);
  });

  it('goes on behind a cursor at any value', () => {
    const order = readRunOrder('-summary_metrics.loss');
    for (const place of [...positions, position(new Date(0), 'time')]) {
      const cursor = readCursor(cursorOf(place));
      for (const other of positions)
        expect(comparePositions(order, other, cursor)).toBe(comparePositions(order, other, place));
    }
  });
});
