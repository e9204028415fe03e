import { PANEL, panelProduct, partDepth, ROWS, transpose4 } from './panel';
import { Row, tile1x32 } from './tiles';

/** Below so many rows, packing B costs more than reading it where it lies. */
const DIRECT_ROWS: i32 = 4;

/** Copies `width` (at most 8) columns of B into a panel of 8, the missing ones as zeros. */
export function pack(k: i32, b: usize, rsB: usize, csB: usize, width: i32, panel: usize): void {
  if (width == 8 && csB == 4) {
    for (; k > 0; k--) {
      v128.store(panel, v128.load(b));
      v128.store(panel + 16, v128.load(b, 16));
      panel += 32;
      b += rsB;
    }
    return;
  }
  if (width == 8 && rsB == 4) {
    for (; k >= 4; k -= 4) {
      transpose4(b, csB, panel);
      transpose4(b + 4 * csB, csB, panel + 16);
      panel += 128;
      b += 16;
    }
  }
  for (; k > 0; k--) {
    for (let j = 0; j < 8; j++) store<f32>(panel + ((<usize>j) << 2), j < width ? load<f32>(b + <usize>j * csB) : 0);
    panel += 32;
    b += rsB;
  }
}

/** 16 contiguous columns of B, into two panels: a row of them is mostly one cache line, which is read once. */
function packTwo(k: i32, b: usize, rsB: usize, panel: usize): void {
  for (; k > 0; k--) {
    v128.store(panel, v128.load(b));
    v128.store(panel, v128.load(b, 16), 16);
    v128.store(panel + PANEL, v128.load(b, 32));
    v128.store(panel + PANEL, v128.load(b, 48), 16);
    panel += 32;
    b += rsB;
  }
}

/** One or a few rows times the columns of a B whose rows are contiguous, 32 at a time; returns how many those are. */
function direct(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  b: usize,
  rsB: usize,
  c: usize,
  ldc: usize,
  acc: bool,
): i32 {
  let j = 0;
  for (; j + 32 <= n; j += 32) {
    const at = (<usize>j) << 2;
    for (let i = 0; i < m; i++) tile1x32<Row>(k, a + <usize>i * rsA, csA, b + at, rsB, c + <usize>i * ldc + at, acc);
  }
  return j;
}

/** At most {@link ROWS} rows of C; strides count bytes. */
function block(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  b: usize,
  rsB: usize,
  csB: usize,
  c: usize,
  ldc: usize,
  accumulate: bool,
  scratch: usize,
): void {
  const packed = rsB == 32 && csB == 4;
  const most = partDepth(k);
  const tile = scratch + 2 * PANEL;
  for (let k0 = 0; k0 < k; k0 += most) {
    const depth = min(most, k - k0);
    const ak = a + <usize>k0 * csA;
    const bk = b + <usize>k0 * rsB;
    const acc = accumulate || k0 > 0;
    let j = m < DIRECT_ROWS && csB == 4 ? direct(m, n, depth, ak, rsA, csA, bk, rsB, c, ldc, acc) : 0;
    for (; j < n; j += 16) {
      const width = min(16, n - j);
      const bj = bk + <usize>j * csB;
      const cj = c + ((<usize>j) << 2);
      const inPlace = packed && width == 8;
      if (width == 16 && csB == 4) {
        packTwo(depth, bj, rsB, scratch);
      } else {
        if (!inPlace) pack(depth, bj, rsB, csB, min(8, width), scratch);
        if (width > 8) pack(depth, bj + 8 * csB, rsB, csB, width - 8, scratch + PANEL);
      }
      panelProduct(m, width, depth, ak, rsA, csA, inPlace ? bj : scratch, cj, ldc, acc, tile);
      if (width > 8) panelProduct(m, width - 8, depth, ak, rsA, csA, scratch + PANEL, cj + 32, ldc, acc, tile);
    }
  }
}

/**
 * C[m,n] = A[m,k] B[k,n], or C += A B. `rs` and `cs` are the distances, in floats, between rows and between columns, so a
 * transposed operand costs nothing. Each element of C is one chain of additions in the order of k that begins with C or
 * with zero: how m, n and k are cut into tiles can't be seen in the result.
 */
export function gemm(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  b: usize,
  rsB: usize,
  csB: usize,
  c: usize,
  ldc: usize,
  accumulate: bool,
  scratch: usize,
): void {
  rsA <<= 2;
  csA <<= 2;
  rsB <<= 2;
  csB <<= 2;
  ldc <<= 2;
  for (; m > 0; m -= ROWS) {
    block(min(m, ROWS), n, k, a, rsA, csA, b, rsB, csB, c, ldc, accumulate, scratch);
    a += <usize>ROWS * rsA;
    c += <usize>ROWS * ldc;
  }
}
