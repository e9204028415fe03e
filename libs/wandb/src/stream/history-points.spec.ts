import { readHistory } from './history-points.js';

describe('readHistory', () => {
  it('takes the numbers of a line, nested ones by names with dots, at its step and time', async () => {
    const { points, steps } = await readHistory([
      '{"loss":1.5,"val/acc":1,"nested":{"x":0,"y":{"z":2}},"_step":7,"_runtime":0.2,"_timestamp":1.5e9}',
    ]);
    expect(steps).toEqual([7]);
    expect(points).toEqual([
      {
        line: 0,
        step: 7,
        timestamp: new Date(1.5e12),
        metrics: { loss: 1.5, 'val/acc': 1, 'nested.x': 0, 'nested.y.z': 2 },
      },
    ]);
  });

  it('takes what is not finite for a number, bare or as a text', async () => {
    const { points } = await readHistory([
      '{"loss":NaN,"deep":{"up":Infinity,"down":-Infinity},"x":1,"_step":0}',
      '{"loss":"NaN","deep":{"up":"Infinity","down":"-Infinity"},"x":1,"_step":1}',
    ]);
    const metrics = { loss: NaN, 'deep.up': Infinity, 'deep.down': -Infinity, x: 1 };
    expect(points.map((point) => point.metrics)).toEqual([metrics, metrics]);
  });

  it('leaves to the line what is no number', async () => {
    const { points } = await readHistory([
      '{"a":"nan","b":"NaN!","c":"text","d":[1],"e":null,"f":true,"g":{"_type":"histogram","values":[1],"n":1},"h":1e999,"_step":0}',
    ]);
    expect(points).toEqual([]);
  });

  it('goes on after what it can not read', async () => {
    const { points, steps, refused } = await readHistory([
      '{',
      '[1]',
      '{"x":1}',
      '{"x":1,"_step":-1}',
      '{"x":2,"_step":3}',
    ]);
    expect([steps, refused]).toEqual([[null, null, undefined, null, 3], 2]);
    // Which step a line is at that names none is for the server to say.
    expect(points.map(({ line, step, metrics }) => [line, step, metrics])).toEqual([
      [2, undefined, { x: 1 }],
      [4, 3, { x: 2 }],
    ]);
  });

  it('leaves out names that can not be stored', async () => {
    const long = 'n'.repeat(257);
    expect((await readHistory([`{"${long}":1,"a\\u0000":1,"":1,"ok":1,"_step":0}`])).points[0]?.metrics).toEqual({
      ok: 1,
    });
  });
});
