import type { TextMark } from 'vega';

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
// Each is seen on white and on black alike.
export const INK = '#7d838c';
export const LINE = '#3d8bd9';

export const BOLD = { fontWeight: 'bold' };

/** A text that says what it is given: its properties are values. */
export const textMark = (properties: Record<string, string | number>): TextMark => ({
  type: 'text',
  interactive: false,
  encode: { enter: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])) },
});
