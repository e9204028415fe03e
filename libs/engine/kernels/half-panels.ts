import { PANEL, panelProduct, partDepth, ROWS, transpose4 } from './panel';
import { multiplyAdd } from './multiply-add';

// Weights W [input, output] in bfloat16, in panels of 32 columns: [ceil(output / 32), input, 32], the last one filled up with
// zeros. So lie 32 columns of a row in one cache line, and a product reads memory from one end to the other. Input sizes
// are multiples of 8. bfloat16 is the upper half of binary32: what is computed has the bits that it has with float32.

/** Of one row of a panel, in bytes. */
const STEP: usize = 64;
/** Below so many rows, unpacking into memory costs more than unpacking for each row. */
const DIRECT_ROWS: i32 = 4;

function low(halves: v128): v128 {
  return v128.shuffle<u16>(i32x4.splat(0), halves, 0, 8, 1, 9, 2, 10, 3, 11);
}

function high(halves: v128): v128 {
  return v128.shuffle<u16>(i32x4.splat(0), halves, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** One row times the 32 columns of a panel. */
function row(k: i32, a: usize, w: usize, c: usize, width: i32, acc: bool, tile: usize): void {
  const whole = width >= 32;
  const to = whole ? c : tile;
  if (!whole && acc) memory.copy(tile, c, (<usize>width) << 2);
  let s0 = acc ? v128.load(to) : f32x4.splat(0);
  let s1 = acc ? v128.load(to, 16) : f32x4.splat(0);
  let s2 = acc ? v128.load(to, 32) : f32x4.splat(0);
  let s3 = acc ? v128.load(to, 48) : f32x4.splat(0);
  let s4 = acc ? v128.load(to, 64) : f32x4.splat(0);
  let s5 = acc ? v128.load(to, 80) : f32x4.splat(0);
  let s6 = acc ? v128.load(to, 96) : f32x4.splat(0);
  let s7 = acc ? v128.load(to, 112) : f32x4.splat(0);
  for (; k > 0; k--) {
    const x = v128.load32_splat(a);
    let halves = v128.load(w);
    s0 = multiplyAdd(x, low(halves), s0);
    s1 = multiplyAdd(x, high(halves), s1);
    halves = v128.load(w, 16);
    s2 = multiplyAdd(x, low(halves), s2);
    s3 = multiplyAdd(x, high(halves), s3);
    halves = v128.load(w, 32);
    s4 = multiplyAdd(x, low(halves), s4);
    s5 = multiplyAdd(x, high(halves), s5);
    halves = v128.load(w, 48);
    s6 = multiplyAdd(x, low(halves), s6);
    s7 = multiplyAdd(x, high(halves), s7);
    a += 4;
    w += STEP;
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
  v128.store(to, s7, 112);
  if (!whole) memory.copy(c, tile, (<usize>width) << 2);
}

/** 8 columns of a panel, as floats. */
function unpack(k: i32, w: usize, panel: usize): void {
  for (; k > 0; k--) {
    const halves = v128.load(w);
    v128.store(panel, low(halves));
    v128.store(panel, high(halves), 16);
    w += STEP;
    panel += 32;
  }
}

/** y [rows, output] = x W, or y += x W. */
export function multiplyHalf(
  rows: i32,
  input: i32,
  output: i32,
  x: usize,
  w: usize,
  y: usize,
  accumulate: bool,
  scratch: usize,
): void {
  const tile = scratch + 2 * PANEL;
  const ldx = (<usize>input) << 2;
  const ldy = (<usize>output) << 2;
  if (rows < DIRECT_ROWS) {
    for (let j = 0; j < output; j += 32) {
      const from = w + (<usize>j * ldx) / 2;
      for (let i = 0; i < rows; i++) {
        const to = y + <usize>i * ldy + ((<usize>j) << 2);
        row(input, x + <usize>i * ldx, from, to, output - j, accumulate, tile);
      }
    }
    return;
  }
  const most = partDepth(input);
  for (; rows > 0; rows -= ROWS) {
    for (let k = 0; k < input; k += most) {
      const depth = min(most, input - k);
      for (let j = 0; j < output; j += 8) {
        const at = (<usize>(j >> 5) * <usize>input + <usize>k) * STEP + ((<usize>(j & 31)) << 1);
        unpack(depth, w + at, scratch);
        const from = x + ((<usize>k) << 2);
        const to = y + ((<usize>j) << 2);
        panelProduct(
          min(rows, ROWS),
          min(8, output - j),
          depth,
          from,
          ldx,
          4,
          scratch,
          to,
          ldy,
          accumulate || k > 0,
          tile,
        );
      }
    }
    x += <usize>ROWS * ldx;
    y += <usize>ROWS * ldy;
  }
}

/** 8 rows of W, `depth` of their columns, as the columns of a panel of floats. */
function unpackRows(depth: i32, w: usize, next: usize, panel: usize): void {
  const rows = panel + PANEL;
  for (let k = 0; k < depth; k += 8) {
    const from = w + <usize>(k >> 5) * next + ((<usize>(k & 31)) << 1);
    for (let i: usize = 0; i < 8; i++) {
      const halves = v128.load(from + i * STEP);
      v128.store(rows + (i << 5), low(halves));
      v128.store(rows + (i << 5), high(halves), 16);
    }
    const to = panel + ((<usize>k) << 5);
    transpose4(rows, 32, to);
    transpose4(rows + 128, 32, to + 16);
    transpose4(rows + 16, 32, to + 128);
    transpose4(rows + 144, 32, to + 144);
  }
}

/** dx [rows, input] = dy W^T, or dx += dy W^T. */
export function multiplyHalfBack(
  rows: i32,
  input: i32,
  output: i32,
  dy: usize,
  w: usize,
  dx: usize,
  accumulate: bool,
  scratch: usize,
): void {
  const tile = scratch + 2 * PANEL;
  const ldx = (<usize>input) << 2;
  const ldy = (<usize>output) << 2;
  // Whole panels of W.
  const most = min((partDepth(output) + 31) & ~31, 384);
  const next = <usize>input * STEP;
  for (; rows > 0; rows -= ROWS) {
    for (let k = 0; k < output; k += most) {
      const depth = min(most, output - k);
      const panels = w + <usize>(k >> 5) * next;
      for (let i = 0; i < input; i += 8) {
        unpackRows(depth, panels + <usize>i * STEP, next, scratch);
        const from = dy + ((<usize>k) << 2);
        const to = dx + ((<usize>i) << 2);
        panelProduct(min(rows, ROWS), 8, depth, from, ldy, 4, scratch, to, ldx, accumulate || k > 0, tile);
      }
    }
    dy += <usize>ROWS * ldy;
    dx += <usize>ROWS * ldx;
  }
}

/** to[i] = column index[i] of W, of `input` floats. */
export function gatherHalf(w: usize, index: usize, to: usize, rows: i32, input: i32): void {
  for (let i = 0; i < rows; i++) {
    const column = load<i32>(index + ((<usize>i) << 2));
    let from = w + <usize>(column >> 5) * <usize>input * STEP + ((<usize>(column & 31)) << 1);
    for (let k = 0; k < input; k++) {
      store<u32>(to, (<u32>load<u16>(from)) << 16);
      from += STEP;
      to += 4;
    }
  }
}
