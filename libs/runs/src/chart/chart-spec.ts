import type { Spec } from 'vega';
import type { ChartLayout } from './chart-layout.js';
import { type ChartPanel, panelMark } from './chart-panel.js';
import { BOLD, FONT, INK, textMark } from './chart-style.js';
import type { StepRange } from './chart.repository.js';
import { printable } from './printable.js';

export interface Chart {
  title: string;
  steps: StepRange;
  /** Weight of the past in the moving average; 0: none is drawn. */
  smooth: number;
  /** None: the chart says that nothing was logged. */
  panels: ChartPanel[];
}

/** Every text is a value, never a part of an expression: Vega runs those. */
export function chartSpec({ title, steps, smooth, panels }: Chart, layout: ChartLayout): Spec {
  const { width, height, plot, tops } = layout;
  const heading = { x: plot.left, y: 20, text: printable(title), limit: plot.width, fontSize: 14, fill: INK, ...BOLD };
  const empty = { x: width / 2, y: height / 2, text: 'no metrics logged yet', align: 'center', fill: INK };
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    description: `Metrics of the run ${printable(title)}`,
    width,
    height,
    padding: 0,
    autosize: 'none',
    config: { text: { font: FONT, fontSize: 12 }, axis: { labelFont: FONT, titleFont: FONT, aria: false } },
    // A step of its own is in the middle.
    scales: [
      {
        name: 'x',
        type: 'linear',
        domain: steps.from === steps.to ? [steps.from - 0.5, steps.to + 0.5] : [steps.from, steps.to],
        range: [0, plot.width],
      },
    ],
    marks: [
      textMark(heading),
      ...(panels.length === 0 ? [textMark(empty)] : []),
      ...panels.map((panel, index) =>
        panelMark(panel, { plot, top: tops[index]!, smooth, isLast: index === panels.length - 1 }),
      ),
    ],
  };
}
