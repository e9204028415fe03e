import { layOut, leastHeight, panelsWithin } from './chart-layout.js';

describe('layOut', () => {
  it.each([
    [1, undefined],
    [3, undefined],
    [8, leastHeight(8)],
    [2, 900],
  ])('keeps %j panels apart and inside, at a height of %j', (panels, asked) => {
    const { width, height, plot, tops } = layOut(panels, 720, asked);
    expect(height).toBe(asked ?? height);
    expect(tops).toHaveLength(panels);
    const edges = [24, ...tops.flatMap((top) => [top, top + plot.height]), height];
    expect(edges).toEqual(edges.toSorted((a, b) => a - b));
    expect(plot.left + plot.width).toBeLessThan(width);
    expect(plot.height).toBeGreaterThanOrEqual(56);
  });

  it('finds room for as many panels as need the height', () => {
    expect([1, 5, 8].map((panels) => panelsWithin(leastHeight(panels)))).toEqual([1, 5, 8]);
    expect(panelsWithin(leastHeight(5) - 1)).toBe(4);
  });
});
