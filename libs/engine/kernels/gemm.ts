import { Four, tile1x32, tile4x8, tileColumns, UpToFour } from './tiles';

/** Rows of B that are packed at a time: a panel of 8 columns stays in the L1 cache. */
const PANEL: i32 = 512;
/** Rows of A that are taken through all panels before the next ones: they stay in the L2 cache. */
const ROWS: i32 = 128;
/** Below so many rows, packing B costs more than reading it where it lies. */
const DIRECT_ROWS: i32 = 32;
/** So narrow a B is in the cache anyway. */
const DIRECT_COLUMNS: i32 = 32;

/** Bytes of scratch that `gemm` needs. */
export const GEMM_SCRATCH: i32 = PANEL * 32 + 128;

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
): void {
  const wide = panel + PANEL * 32;
  const bytes = (<usize>width) << 2;
  for (; m > 0; m -= 4) {
    const rows = min(m, 4);
    if (acc) for (let i = 0; i < rows; i++) memory.copy(wide + ((<usize>i) << 5), c + <usize>i * ldc, bytes);
    tile4x8<UpToFour>(rows, k, a, rsA, csA, panel, 32, wide, 32, acc);
    for (let i = 0; i < rows; i++) memory.copy(c + <usize>i * ldc, wide + ((<usize>i) << 5), bytes);
    a += 4 * rsA;
    c += 4 * ldc;
  }
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
  const direct = csB == 4 && (m <= DIRECT_ROWS || n <= DIRECT_COLUMNS);
  for (let k0 = 0; k0 < k; k0 += PANEL) {
    const depth = min(PANEL, k - k0);
    const ak = a + <usize>k0 * csA;
    const bk = b + <usize>k0 * rsB;
    const acc = accumulate || k0 > 0;
    for (let j = 0; j < n;) {
      const left = n - j;
      const bj = bk + <usize>j * csB;
      const cj = c + ((<usize>j) << 2);
      if (direct && left >= 32 && m < 4) {
        for (let i = 0; i < m; i++) tile1x32(depth, ak + <usize>i * rsA, csA, bj, rsB, cj + <usize>i * ldc, acc);
        j += 32;
        continue;
      }
      const inPlace = direct && left >= 8;
      if (!inPlace) pack(depth, bj, rsB, csB, min(8, left), scratch);
      const panel = inPlace ? bj : scratch;
      const step: usize = inPlace ? rsB : 32;
      if (left < 8) {
        narrow(m, depth, ak, rsA, csA, scratch, cj, ldc, left, acc);
      } else {
        let i = 0;
        if (step == 32 && rsA == 4) {
          for (; i + 4 <= m; i += 4) tileColumns(depth, ak + <usize>i * rsA, csA, panel, cj + <usize>i * ldc, ldc, acc);
        }
        for (; i + 4 <= m; i += 4)
          tile4x8<Four>(4, depth, ak + <usize>i * rsA, rsA, csA, panel, step, cj + <usize>i * ldc, ldc, acc);
        if (i < m)
          tile4x8<UpToFour>(m - i, depth, ak + <usize>i * rsA, rsA, csA, panel, step, cj + <usize>i * ldc, ldc, acc);
      }
      j += 8;
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
