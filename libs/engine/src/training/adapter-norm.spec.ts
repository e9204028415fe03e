import { adapterNorm } from './adapter-norm.js';

describe('adapterNorm', () => {
  it('is the norm of scale * B A', () => {
    const a = Float32Array.of(1, 2, 0, 0, 1, -1); // 2 x 3
    const b = Float32Array.of(1, 0, 2, 1); // 2 x 2
    // B A = [[1, 2, 0], [2, 5, -1]]: squares sum to 5 + 30.
    expect(adapterNorm(a, b, 2, 3)).toBeCloseTo(3 * Math.sqrt(35), 12);
  });

  it('is 0 for a fresh adapter, whose B is 0', () => {
    expect(adapterNorm(Float32Array.of(0.3, -0.7), new Float32Array(4), 1, 16)).toBe(0);
  });

  it('is NaN where a weight is', () => {
    expect(adapterNorm(Float32Array.of(NaN), Float32Array.of(1), 1, 1)).toBeNaN();
  });
});
