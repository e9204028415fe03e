import { MAX_POINTS, readPoints } from './history.schema.js';

const places = (body: unknown): string[] => {
  try {
    readPoints(body);
    return [];
  } catch (error) {
    return (error as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join('.'));
  }
};

describe('readPoints', () => {
  it('reads steps, times and metrics, and takes null for nothing', () => {
    expect(
      readPoints({
        points: [
          { step: 1, timestamp: '2026-01-31T12:00:00+01:00', metrics: { a: 1 }, more: true },
          { step: null, timestamp: null, metrics: {} },
        ],
      }),
    ).toEqual([
      { step: 1, timestamp: new Date('2026-01-31T11:00:00Z'), metrics: { a: 1 } },
      { step: null, timestamp: null, metrics: {} },
    ]);
  });

  it.each([
    [{}, 'body.points'],
    [{ points: 1 }, 'body.points'],
    [{ points: [{ metrics: { a: 1 } }, {}] }, 'body.points.1.metrics'],
    [{ points: [{ metrics: { 'a/b~c': '1' } }] }, 'body.points.0.metrics.a/b~c'],
    [{ points: [{ metrics: { a: null } }] }, 'body.points.0.metrics.a'],
    [{ points: [{ metrics: { a: Infinity } }] }, 'body.points.0.metrics.a'],
    [{ points: [{ timestamp: '0000-01-01T00:00:00Z', metrics: {} }] }, 'body.points.0.timestamp'],
    [{ points: Array(MAX_POINTS + 1).fill({ metrics: {} }) }, 'body.points'],
  ])('names the place that is wrong: %#', (body, place) => {
    expect(places(body)).toContain(place);
  });

  it.each([{ step: -1 }, { step: 1.5 }, { step: 2 ** 53 }, { step: '1' }, { timestamp: 'yesterday' }])(
    'refuses the point %j',
    (fields) => {
      expect(places({ points: [{ ...fields, metrics: {} }] }).length).toBeGreaterThan(0);
    },
  );
});
