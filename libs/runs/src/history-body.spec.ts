import { readPoints } from './history-body.js';
import { MAX_POINTS } from './history.schema.js';

const bytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));
const places = async (body: unknown): Promise<string[]> => {
  try {
    await readPoints(bytes(body));
    return [];
  } catch (error) {
    return (error as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join('.'));
  }
};

describe('readPoints', () => {
  it('reads steps, times and metrics, and takes null for nothing', async () => {
    const points = await readPoints(
      bytes({
        points: [
          { step: 1, timestamp: '2026-01-31T12:00:00+01:00', metrics: { a: 1 } },
          { step: null, timestamp: null, metrics: {} },
        ],
      }),
    );
    expect(points).toEqual([
      { step: 1, timestamp: new Date('2026-01-31T11:00:00Z'), metrics: { a: 1 } },
      { step: null, timestamp: null, metrics: {} },
    ]);
  });

  const NON_FINITE = { a: NaN, b: Infinity, c: -Infinity };

  it.each([
    ['bare, as Python writes them', '{"a":NaN,"b":Infinity,"c":-Infinity}'],
    ['as texts, which are JSON', '{"a":"NaN","b":"Infinity","c":"-Infinity"}'],
  ])('takes numbers that JSON lacks: %s', async (_, metrics) => {
    const points = await readPoints(Buffer.from(`{"points": [{"metrics": ${metrics}}, {"metrics": {"a": 1}}]}`));
    expect(points.map((point) => ({ ...point.metrics }))).toEqual([NON_FINITE, { a: 1 }]);
  });

  it.each([
    ['{"points": [{"metrics": {"a": 1e999}}]}', 'finite_number', 'a'],
    ['{"points": [{"metrics": {"a": -1e999}}]}', 'finite_number', 'a'],
    ['{"points": [{"metrics": {"a": "1e999"}}]}', 'number_type', 'a'],
    ['{"points": [{"metrics": {"a": "nan"}}]}', 'number_type', 'a'],
    ['{"points": [{"metrics": {"a": [NaN]}}]}', 'number_type', 'a'],
    ['{"points": [{"metrics": NaN}]}', 'object_type', 'metrics'],
    ['{"points": [{"step": NaN, "metrics": {}}]}', 'step', 'step'],
    ['{"points": [{"timestamp": Infinity, "metrics": {}}]}', 'date_time', 'timestamp'],
    ['{"points": NaN}', 'array_type', 'points'],
    ['{"points": [{"metrics": {"a": Nan}}]}', 'json_invalid', 'body'],
  ])('takes them for values of metrics only: %s', async (body, type, place) => {
    const refused = readPoints(Buffer.from(body)).catch((error: unknown) => error);
    expect(((await refused) as { detail: { loc: string[]; type: string }[] }).detail).toEqual([
      expect.objectContaining({ type, loc: expect.arrayContaining([place]) }),
    ]);
  });

  it.each([
    [{}, 'body.points'],
    [{ points: 1 }, 'body.points'],
    [{ points: [{ metrics: { a: 1 } }, {}] }, 'body.points.1.metrics'],
    [{ points: [{ metrics: { 'a/b~c': '1' } }] }, 'body.points.0.metrics.a/b~c'],
    [{ points: [{ metrics: { a: null } }] }, 'body.points.0.metrics.a'],
    [{ points: [1] }, 'body.points.0'],
    [{ points: [{ steps: 1, metrics: {} }] }, 'body.points.0.steps'],
    [{ points: [], point: [] }, 'body.point'],
    [{ points: [{ timestamp: '0000-01-01T00:00:00Z', metrics: {} }] }, 'body.points.0.timestamp'],
    [{ points: Array(MAX_POINTS + 1).fill({ metrics: {} }) }, 'body.points'],
  ])('names the place that is wrong: %#', async (body, place) => {
    expect(await places(body)).toContain(place);
  });

  it.each([{ step: -1 }, { step: 1.5 }, { step: 2 ** 53 }, { step: '1' }, { timestamp: 'yesterday' }])(
    'refuses the point %j',
    async (fields) => {
      expect((await places({ points: [{ ...fields, metrics: {} }] })).length).toBeGreaterThan(0);
    },
  );
});
