import { horizontalSum } from './horizontal-sum';

/** y = x / sqrt(mean(x^2) + epsilon) * weight; `inverse` keeps the factor of each row. The width is a multiple of 4. */
export function rmsNorm(x: usize, weight: usize, y: usize, inverse: usize, rows: i32, width: i32, epsilon: f32): void {
  const bytes = (<usize>width) << 2;
  for (let r = 0; r < rows; r++) {
    let sums = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const a = v128.load(x + i);
      sums = f32x4.add(sums, f32x4.mul(a, a));
    }
    const factor: f32 = 1 / Mathf.sqrt(horizontalSum(sums) / <f32>width + epsilon);
    store<f32>(inverse + ((<usize>r) << 2), factor);
    const f = f32x4.splat(factor);
    for (let i: usize = 0; i < bytes; i += 16) {
      v128.store(y + i, f32x4.mul(f32x4.mul(v128.load(x + i), f), v128.load(weight + i)));
    }
    x += bytes;
    y += bytes;
  }
}

/** dx += the gradient of {@link rmsNorm}; dWeight += its own, unless it is 0. */
export function rmsNormBackward(
  x: usize,
  weight: usize,
  inverse: usize,
  dy: usize,
  dx: usize,
  dWeight: usize,
  rows: i32,
  width: i32,
): void {
  const bytes = (<usize>width) << 2;
  for (let r = 0; r < rows; r++) {
    const factor = load<f32>(inverse + ((<usize>r) << 2));
    const f = f32x4.splat(factor);
    let sums = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      sums = f32x4.add(sums, f32x4.mul(f32x4.mul(v128.load(dy + i), v128.load(weight + i)), v128.load(x + i)));
    }
    const pull = f32x4.splat((horizontalSum(sums) / <f32>width) * factor * factor * factor);
    for (let i: usize = 0; i < bytes; i += 16) {
      const d = v128.load(dy + i);
      const a = v128.load(x + i);
      if (dWeight) v128.store(dWeight + i, f32x4.add(v128.load(dWeight + i), f32x4.mul(f32x4.mul(d, a), f)));
      const direct = f32x4.mul(f32x4.mul(d, v128.load(weight + i)), f);
      v128.store(dx + i, f32x4.add(v128.load(dx + i), f32x4.sub(direct, f32x4.mul(a, pull))));
    }
    x += bytes;
    dy += bytes;
    dx += bytes;
  }
}

/**
 * Rotary position embedding of x [rows, heads*size] in place, and a factor on all of it: pairs (i, i + size/2) turn by the angle of the row's position, backwards if `sign` is -1. `cos` and `sin` are [positions, size/2].
 */
export function rotate(
  x: usize,
  positions: usize,
  rows: i32,
  heads: i32,
  size: i32,
  cos: usize,
  sin: usize,
  sign: f32,
  factor: f32,
): void {
  const half = (<usize>(size >> 1)) << 2;
  const turn = f32x4.splat(sign);
  const f = f32x4.splat(factor);
  for (let r = 0; r < rows; r++) {
    const at = <usize>load<i32>(positions + ((<usize>r) << 2)) * half;
    for (let h = 0; h < heads; h++) {
      for (let i: usize = 0; i < half; i += 16) {
        const c = v128.load(cos + at + i);
        const s = f32x4.mul(v128.load(sin + at + i), turn);
        const a = v128.load(x + i);
        const b = v128.load(x + half + i);
        v128.store(x + i, f32x4.mul(f32x4.sub(f32x4.mul(a, c), f32x4.mul(b, s)), f));
        v128.store(x + half + i, f32x4.mul(f32x4.add(f32x4.mul(b, c), f32x4.mul(a, s)), f));
      }
      x += half << 1;
    }
  }
}
