import type { Axis, GroupMark, Mark } from 'vega';
import type { ChartLayout } from './chart-layout.js';
import { BOLD, INK, LINE, textMark } from './chart-style.js';
import type { MetricBucket, MetricExtent } from './chart.repository.js';
import { movingAverage } from './moving-average.js';
import { printable } from './printable.js';

export interface ChartPanel {
  metric: string;
  /** Null where the metric has no value within the steps. It may be none that is drawn: NaN, or infinite. */
  last: Pick<MetricExtent, 'last' | 'last_step'> | null;
  /** By step. */
  buckets: MetricBucket[];
}

/** A difference of two such values is still a number. */
const MOST = 1e300;
/** Without fonts Vega takes text for so much wider than it is. */
const ESTIMATE = 1.25;
/** Less has no room for the step of the last value. */
const NARROW = 260;
/** Up to so many values are dots too. */
const MAX_DOTS = 60;
/** `20k`, `1.5M`, but `0.002` and `1e-7`: a metric is seldom spoken of in millis. */
const LABEL = `datum.value !== 0 && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e15) ? format(datum.value, '.4~e')
  : abs(datum.value) >= 1e4 ? format(datum.value, '.9~s') : format(datum.value, '~g')`;

interface PanelPlace {
  plot: ChartLayout['plot'];
  top: number;
  smooth: number;
  isLast: boolean;
}

/** A metric's name, its last value, and its values over the steps. */
export function panelMark({ metric, last, buckets }: ChartPanel, { plot, top, smooth, isLast }: PanelPlace): GroupMark {
  const { left, width, height } = plot;
  const averages =
    smooth > 0
      ? movingAverage(
          buckets.map(({ mean }) => bounded(mean)),
          smooth,
        )
      : [];
  const values = buckets.map(({ step, low, high, mean }, index) => ({
    step,
    low: bounded(low),
    high: bounded(high),
    mean: bounded(mean),
    average: averages[index],
  }));
  const lastText = last ? valueText(last.last).replace(/^-/, '\u2212') : '';
  const stepText = last && width > NARROW ? `at step ${last.last_step.toLocaleString('en-US')}` : '';
  const nothing = last ? 'no finite values at these steps' : 'no values at these steps';
  const stepWidth = stepText === '' ? 0 : stepText.length * 6 + 6;
  const nameWidth = width - stepWidth - lastText.length * 8 - 24;
  return {
    type: 'group',
    encode: { enter: { x: { value: left }, y: { value: top }, width: { value: width }, height: { value: height } } },
    data: [{ name: 'values', values }],
    scales: [{ name: 'y', type: 'linear', domain: domainOf(values), zero: false, nice: true, range: [height, 0] }],
    axes: axes(plot, { hasValues: values.length > 0, isLast }),
    marks: [
      textMark({ x: 0, y: -10, text: printable(metric), limit: nameWidth * ESTIMATE, fill: INK, ...BOLD }),
      textMark({ x: width, y: -10, text: stepText, align: 'right', fill: INK, fontSize: 11 }),
      textMark({ x: width - stepWidth, y: -10, text: lastText, align: 'right', fill: LINE, ...BOLD }),
      ...(isLast ? [textMark({ x: -8, y: height + 15, text: 'step', align: 'right', fill: INK, fontSize: 10 })] : []),
      ...(values.length > 0
        ? drawing(values.length, smooth > 0)
        : [textMark({ x: width / 2, y: height / 2, text: nothing, align: 'center', fill: INK })]),
    ],
  };
}

const bounded = (value: number): number => Math.max(-MOST, Math.min(MOST, value));

function domainOf(values: readonly { low: number; high: number }[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const low = values.reduce((least, value) => Math.min(least, value.low), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value.high), -Infinity);
  const room = Math.abs(high) / 10 || 1;
  return low === high ? [low - room, high + room] : [low, high];
}

function axes({ width, height }: ChartLayout['plot'], has: { hasValues: boolean; isLast: boolean }): Axis[] {
  const encode = { labels: { update: { text: { signal: LABEL } } } };
  const style = { encode, domain: false, labelColor: INK, tickColor: INK, gridColor: INK, gridOpacity: 0.22 };
  const values: Axis = {
    ...style,
    scale: 'y',
    orient: 'left',
    grid: true,
    gridScale: 'x',
    ticks: false,
    labelPadding: 8,
    labelLimit: 64 * ESTIMATE,
    tickCount: Math.max(2, Math.round(height / 36)),
  };
  const steps: Axis = {
    ...style,
    scale: 'x',
    orient: 'bottom',
    tickCount: Math.ceil(width / 110),
    tickMinStep: 1,
    tickSize: 4,
    labels: has.isLast,
    labelOverlap: true,
    labelFlush: true,
  };
  return has.hasValues ? [values, steps] : [steps];
}

/** Four digits, and all of those before the point. */
function valueText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e12) return value.toExponential(3);
  if (size >= 1e4) return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
  return String(Number(value.toPrecision(4)));
}

/** The band of all values, their means, and the moving average in front. */
function drawing(count: number, smooths: boolean): Mark[] {
  const from = { data: 'values' };
  const x = { scale: 'x', field: 'step' };
  const line = (field: string, opacity: number): Mark => ({
    type: 'line',
    from,
    interactive: false,
    encode: {
      enter: {
        x,
        y: { scale: 'y', field },
        stroke: { value: LINE },
        strokeWidth: { value: 1.6 },
        opacity: { value: opacity },
      },
    },
  });
  const band: Mark = {
    type: 'area',
    from,
    interactive: false,
    encode: {
      enter: {
        x,
        y: { scale: 'y', field: 'low' },
        y2: { scale: 'y', field: 'high' },
        fill: { value: LINE },
        opacity: { value: 0.25 },
      },
    },
  };
  const dots: Mark = {
    type: 'symbol',
    from,
    interactive: false,
    encode: {
      enter: {
        x,
        y: { scale: 'y', field: 'mean' },
        size: { value: 14 },
        fill: { value: LINE },
        opacity: { value: smooths ? 0.35 : 1 },
      },
    },
  };
  return [
    band,
    line('mean', smooths ? 0.35 : 1),
    ...(count <= MAX_DOTS ? [dots] : []),
    ...(smooths ? [line('average', 1)] : []),
  ];
}
