import { layOut } from './chart-layout.js';
import type { ChartPanel } from './chart-panel.js';
import { type Chart, chartSpec } from './chart-spec.js';
import { toSvg } from './svg.js';

const panel = (metric: string, means: number[]): ChartPanel => ({
  metric,
  last: { last: means.at(-1)!, last_step: means.length - 1 },
  buckets: means.map((mean, step) => ({ name: metric, step, low: mean, high: mean, mean })),
});

const draw = (fields: Partial<Chart>): Promise<string> => {
  const chart = { title: 'A run', steps: { from: 0, to: 3 }, smooth: 0, panels: [], ...fields };
  return toSvg(chartSpec(chart, layOut(Math.max(1, chart.panels.length), 600)));
};

const textsOf = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
const elementsOf = (svg: string): Set<string> => new Set([...svg.matchAll(/<([^/\s>]+)/g)].map(([, name]) => name!));

const PLAIN = new Set(['svg', 'g', 'path', 'line', 'text']);

describe('a chart', () => {
  it('names run, metrics and last values', async () => {
    const texts = textsOf(await draw({ panels: [panel('loss', [3, 2, 1, 0.123456]), panel('reward', [0])] }));
    expect(texts).toEqual(expect.arrayContaining(['A run', 'loss', '0.1235', 'at step 3', 'reward', '0', 'at step 0']));
  });

  it('has the size that it was given', async () => {
    expect(await draw({ panels: [panel('loss', [1])] })).toMatch(/^<svg [^>]*width="600" height="226"/);
  });

  it('says that there is nothing, of a run and of steps', async () => {
    expect(textsOf(await draw({}))).toEqual(['A run', 'no metrics logged yet']);
    const panels = [{ metric: 'loss', last: null, buckets: [] }];
    expect(textsOf(await draw({ panels }))).toEqual(expect.arrayContaining(['loss', 'no values at these steps']));
  });

  it('says of a last value that is not finite what it is, and draws the others', async () => {
    const gone = { ...panel('loss', [3, 2, 1]), last: { last: NaN, last_step: 9 } };
    const up = { ...panel('norm', []), last: { last: Infinity, last_step: 2 } };
    const down = { ...panel('odds', []), last: { last: -Infinity, last_step: 2 } };
    const svg = await draw({ panels: [gone, up, down] });
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['NaN', 'at step 9', 'Infinity', '\u2212Infinity']));
    expect(textsOf(svg).filter((text) => text === 'no finite values at these steps')).toHaveLength(2);
    expect(svg.match(/class="mark-line/g)).toHaveLength(1);
    expect(svg.replace(/<text.*?<\/text>/g, '')).not.toMatch(/NaN|Infinity/);
  });

  it('draws the moving average in front of the values', async () => {
    const lines = (svg: string): number => svg.match(/class="mark-line/g)!.length;
    const panels = [panel('loss', [4, 1, 4, 1])];
    expect([lines(await draw({ panels })), lines(await draw({ panels, smooth: 0.5 }))]).toEqual([1, 2]);
  });

  it.each([[[1e308, -1e308, 1.7e308]], [[5e-324, 0, -5e-324]], [[7, 7]], [[2 ** 53 + 0.5]]])(
    'stays in the picture with %j',
    async (means) => {
      const svg = await draw({ panels: [panel('x', means)], smooth: 0.9 });
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    },
  );

  it.each([
    '</text><script>alert(1)</script>',
    '"\'><image href="x" onload="alert(1)"/>',
    '<!-- ]]> <![CDATA[ &lt;script&gt; &#60;b',
    '{"signal":"warn(\'x\')"}',
  ])('has the text %s and nothing of it but text', async (hostile) => {
    const svg = await draw({ title: hostile, panels: [panel(hostile, [1, 2])] });
    for (const element of elementsOf(svg)) expect(PLAIN).toContain(element);
    const unescaped = textsOf(svg).map((text) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );
    expect(unescaped.filter((text) => text === hostile)).toHaveLength(2);
  });

  it('shows what XML can not hold, or what would turn other text, as a mark', async () => {
    const texts = textsOf(await draw({ panels: [panel('a\uFFFE\uFFFF\u0001\u202Eb', [1])] }));
    expect(texts).toContain('a\uFFFD\uFFFD\uFFFD\uFFFDb');
  });

  it('shortens a name that has no room', async () => {
    const texts = textsOf(await draw({ panels: [panel('n'.repeat(256), [1])] }));
    expect(texts).toContainEqual(expect.stringMatching(/^n{20,80}…$/));
  });
});
