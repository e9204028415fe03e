export const MAX_PANELS = 8;
/** Panels of a chart for which nobody named metrics. */
export const DEFAULT_PANELS = 4;

const HEADING = 24;
const FOOTING = 26;
const LEFT = 64;
const RIGHT = 16;
const TITLE = 34;
const PANEL = 176;
const LEAST_PANEL = 90;

/** Of a chart, in pixels. */
export interface ChartLayout {
  width: number;
  height: number;
  /** Of the area in which values are drawn. */
  plot: { left: number; width: number; height: number };
  /** Where each panel's plot begins. */
  tops: number[];
}

/** Height that so many panels need, in pixels. */
export const leastHeight = (panels: number): number => HEADING + FOOTING + panels * LEAST_PANEL;

/** Panels that a height has room for. */
export const panelsWithin = (height: number): number => Math.floor((height - HEADING - FOOTING) / LEAST_PANEL);

/** Panels of the same size, one above the other. @param height of the whole; default: as much as looks well */
export function layOut(panels: number, width: number, height?: number): ChartLayout {
  const panel = height === undefined ? PANEL : (height - HEADING - FOOTING) / panels;
  return {
    width,
    height: height ?? HEADING + FOOTING + panels * PANEL,
    plot: { left: LEFT, width: width - LEFT - RIGHT, height: panel - TITLE },
    tops: Array.from({ length: panels }, (_, index) => HEADING + index * panel + TITLE),
  };
}
