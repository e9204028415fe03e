import { exp4 } from './softmax';

/** x += y. */
export function add(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    v128.store(x, f32x4.add(v128.load(x), v128.load(y)));
    x += 16;
    y += 16;
  }
  for (; i < n; i++) {
    store<f32>(x, load<f32>(x) + load<f32>(y));
    x += 4;
    y += 4;
  }
}

/** x *= factor. */
export function scale(x: usize, factor: f32, n: i32): void {
  const f = f32x4.splat(factor);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    v128.store(x, f32x4.mul(v128.load(x), f));
    x += 16;
  }
  for (; i < n; i++) {
    store<f32>(x, load<f32>(x) * factor);
    x += 4;
  }
}

export function copy(to: usize, from: usize, n: i32): void {
  memory.copy(to, from, (<usize>n) << 2);
}

export function fill(x: usize, n: i32): void {
  memory.fill(x, 0, (<usize>n) << 2);
}

export function sumSquares(x: usize, n: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<f32>(x + ((<usize>i) << 2));
    sum += value * value;
  }
  return sum;
}

/** Each of x's rows += y. */
export function addToRows(x: usize, y: usize, rows: i32, width: i32): void {
  for (let i = 0; i < rows; i++) add(x + ((<usize>(i * width)) << 2), y, width);
}

/** x += the sum of y's rows. */
export function addRowSums(x: usize, y: usize, rows: i32, width: i32): void {
  for (let i = 0; i < rows; i++) add(x, y + ((<usize>(i * width)) << 2), width);
}

/** to[i] = from[index[i]], rows of `width` floats. */
export function gatherRows(from: usize, index: usize, to: usize, rows: i32, width: i32): void {
  const bytes = (<usize>width) << 2;
  for (let i = 0; i < rows; i++) {
    memory.copy(to + <usize>i * bytes, from + <usize>load<i32>(index + ((<usize>i) << 2)) * bytes, bytes);
  }
}

/** to[index[i]] += from[i]. */
export function scatterAddRows(from: usize, index: usize, to: usize, rows: i32, width: i32): void {
  const bytes = (<usize>width) << 2;
  for (let i = 0; i < rows; i++) {
    add(to + <usize>load<i32>(index + ((<usize>i) << 2)) * bytes, from + <usize>i * bytes, width);
  }
}

/** y = silu(gate) up, on n floats; n is a multiple of 4. */
export function swiglu(gate: usize, up: usize, y: usize, n: i32): void {
  const one = f32x4.splat(1);
  for (let i: usize = 0; i < (<usize>n) << 2; i += 16) {
    const g = v128.load(gate + i);
    const sigmoid = f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(g))));
    v128.store(y + i, f32x4.mul(f32x4.mul(g, sigmoid), v128.load(up + i)));
  }
}

/** Gradients of {@link swiglu} for gate and up, and `y` again; `dUp` may be `dy`. */
export function swigluBackward(gate: usize, up: usize, dy: usize, dGate: usize, dUp: usize, y: usize, n: i32): void {
  const one = f32x4.splat(1);
  for (let i: usize = 0; i < (<usize>n) << 2; i += 16) {
    const g = v128.load(gate + i);
    const u = v128.load(up + i);
    const d = v128.load(dy + i);
    const sigmoid = f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(g))));
    const slope = f32x4.mul(sigmoid, f32x4.add(one, f32x4.mul(g, f32x4.sub(one, sigmoid))));
    const open = f32x4.mul(g, sigmoid);
    v128.store(y + i, f32x4.mul(open, u));
    v128.store(dGate + i, f32x4.mul(f32x4.mul(d, u), slope));
    v128.store(dUp + i, f32x4.mul(d, open));
  }
}
