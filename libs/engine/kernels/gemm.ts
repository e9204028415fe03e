import { All, Fewer, tile1x32, tile4x8, tile6x8, tileColumns } from './tiles';

/** Rows of B that are packed at a time, at most: a panel of 8 columns stays in the L1 cache. */
const DEPTH: i32 = 384;
/** Rows of A that are taken through all panels before the next ones: they stay in the L2 cache. */
const ROWS: i32 = 504;
/** Below so many rows, packing B costs more than reading it where it lies. */
const DIRECT_ROWS: i32 = 4;

/** Bytes of scratch that `gemm` needs: two panels, and a tile for columns that are fewer than 8. */
export const GEMM_SCRATCH: i32 = 2 * DEPTH * 32 + 128;

/** 4 rows of 4 floats at `from`, `step` bytes apart, written as 4 columns `8 floats` apart. */
function transpose4(from: usize, step: usize, to: usize): void {
  const r0 = v128.load(from);
  const r1 = v128.load(from + step);
  const r2 = v128.load(from + 2 * step);
  const r3 = v128.load(from + 3 * step);
  const t0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
  const t1 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  const t2 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const t3 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(t0, t2, 0, 1, 4, 5));
  v128.store(to + 32, v128.shuffle<f32>(t0, t2, 2, 3, 6, 7));
  v128.store(to + 64, v128.shuffle<f32>(t1, t3, 0, 1, 4, 5));
  v128.store(to + 96, v128.shuffle<f32>(t1, t3, 2, 3, 6, 7));
}

/** Copies `width` (at most 8) columns of B into a panel of 8, the missing ones as zeros. */
function pack(k: i32, b: usize, rsB: usize, csB: usize, width: i32, panel: usize): void {
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

/** Fewer than 8 columns: rows of C go through rows of 8 in the scratch. */
function narrow(
  m: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  panel: usize,
  c: usize,
  ldc: usize,
  width: i32,
  acc: bool,
  tile: usize,
): void {
  const bytes = (<usize>width) << 2;
  for (; m > 0; m -= 4) {
    const rows = min(m, 4);
    if (acc) for (let i = 0; i < rows; i++) memory.copy(tile + ((<usize>i) << 5), c + <usize>i * ldc, bytes);
    tile4x8<Fewer>(rows, k, a, rsA, csA, panel, 32, tile, 32, acc);
    for (let i = 0; i < rows; i++) memory.copy(c + <usize>i * ldc, tile + ((<usize>i) << 5), bytes);
    a += 4 * rsA;
    c += 4 * ldc;
  }
}

/** All rows of A times one panel of 8 columns, whose rows are `step` bytes apart. */
function tiles(
  m: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  panel: usize,
  step: usize,
  c: usize,
  ldc: usize,
  acc: bool,
): void {
  // 8 rows are two tiles of 4, and 7 hardly less.
  for (; m == 6 || m > 8; m -= 6) {
    if (rsA == 4) tileColumns(k, a, csA, panel, step, c, ldc, acc);
    else tile6x8<All>(6, k, a, rsA, csA, panel, step, c, ldc, acc);
    a += 6 * rsA;
    c += 6 * ldc;
  }
  if (m == 5) return tile6x8<Fewer>(5, k, a, rsA, csA, panel, step, c, ldc, acc);
  for (; m >= 4; m -= 4) {
    tile4x8<All>(4, k, a, rsA, csA, panel, step, c, ldc, acc);
    a += 4 * rsA;
    c += 4 * ldc;
  }
  if (m > 0) tile4x8<Fewer>(m, k, a, rsA, csA, panel, step, c, ldc, acc);
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
    for (let i = 0; i < m; i++) tile1x32(k, a + <usize>i * rsA, csA, b + at, rsB, c + <usize>i * ldc + at, acc);
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
  // Parts of about the same depth: each costs a load and a store of C.
  const parts = (k + DEPTH - 1) / DEPTH;
  const most = (k + parts - 1) / parts;
  for (let k0 = 0; k0 < k; k0 += most) {
    const depth = min(most, k - k0);
    const ak = a + <usize>k0 * csA;
    const bk = b + <usize>k0 * rsB;
    const acc = accumulate || k0 > 0;
    let j = m < DIRECT_ROWS && csB == 4 ? direct(m, n, depth, ak, rsA, csA, bk, rsB, c, ldc, acc) : 0;
    for (; j < n; j += 16) {
      // Two panels, so that whole cache lines of B are read at once.
      const right = scratch + ((<usize>depth) << 5);
      const width = min(16, n - j);
      const bj = bk + <usize>j * csB;
      const inPlace = packed && width >= 8;
      if (!inPlace) pack(depth, bj, rsB, csB, min(8, width), scratch);
      if (width > 8) pack(depth, bj + 8 * csB, rsB, csB, width - 8, right);
      for (let half = 0; half < width; half += 8) {
        const panel = half > 0 ? right : inPlace ? bj : scratch;
        const cj = c + ((<usize>(j + half)) << 2);
        if (width - half >= 8) tiles(m, depth, ak, rsA, csA, panel, 32, cj, ldc, acc);
        else narrow(m, depth, ak, rsA, csA, panel, cj, ldc, width - half, acc, scratch + 2 * DEPTH * 32);
      }
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
