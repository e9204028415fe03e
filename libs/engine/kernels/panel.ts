import { All, Fewer, tile4x8, tile6x8, tileColumns } from './tiles';

// A panel is 8 columns of B, some rows of them, one after the other: it stays in the L1 cache while rows of A go by.

/** Rows of a panel at most. */
export const DEPTH: i32 = 384;
/** Rows of A that are taken through all panels before the next ones: they stay in the L2 cache. */
export const ROWS: i32 = 504;
/** Bytes of a panel. */
export const PANEL: usize = 384 * 32;

/** Depth of each of the parts, about equal, that k is cut into: each costs a load and a store of C. */
export function partDepth(k: i32): i32 {
  const parts = (k + DEPTH - 1) / DEPTH;
  return parts > 1 ? (k + parts - 1) / parts : k;
}

/** 4 rows of 4 floats at `from`, `step` bytes apart, written as 4 columns `8 floats` apart. */
export function transpose4(from: usize, step: usize, to: usize): void {
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
export function tiles(
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

/** All rows of A times the `width` (at most 8) columns of a panel; `tile` is scratch for fewer than 8. */
export function panelProduct(
  m: i32,
  width: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  panel: usize,
  c: usize,
  ldc: usize,
  acc: bool,
  tile: usize,
): void {
  if (width >= 8) tiles(m, k, a, rsA, csA, panel, 32, c, ldc, acc);
  else narrow(m, k, a, rsA, csA, panel, c, ldc, width, acc, tile);
}
