import { pack } from './gemm';
import { DEPTH, tiles } from './panel';
import { Panels, tile1x32 } from './tiles';

// Attention's products, of one head, whose operands lie in panels: they are packed once for all the rows that attend to
// them. A tile of rows is causal: its row i sees `seen + i` positions, and what none of six rows sees is not computed.

/** Rows of a tile of registers. */
const GROUP: i32 = 6;

/** Positions, `rs` bytes apart, with floats `cs` bytes apart, in panels of 8 positions: [n / 8, size, 8]. */
export function packPositions(n: i32, size: i32, x: usize, rs: usize, cs: usize, panels: usize): void {
  for (let j = 0; j < n; j += 8) {
    pack(size, x + <usize>j * rs, cs, rs, min(8, n - j), panels + ((<usize>(j * size)) << 2));
  }
}

/** Positions, `rs` bytes apart, in panels of 8 of their `size` floats: [size / 8, n, 8]. */
export function packFloats(n: i32, size: i32, x: usize, rs: usize, panels: usize): void {
  for (let d = 0; d < size; d += 8) pack(n, x + ((<usize>d) << 2), rs, 4, 8, panels + ((<usize>(d * n)) << 2));
}

/** Products of rows with the positions that they see: c [rows, at least seen + rows - 1] = a panels, of 8 positions each. */
export function scoreTile(
  rows: i32,
  seen: i32,
  size: i32,
  a: usize,
  lda: usize,
  panels: usize,
  c: usize,
  ldc: usize,
): void {
  const width = seen + rows - 1;
  for (let j = 0; j < width; j += 8) {
    const blind = (max(0, j - seen + 1) / GROUP) * GROUP;
    const panel = panels + ((<usize>(j * size)) << 2);
    const to = c + <usize>blind * ldc + ((<usize>j) << 2);
    tiles(rows - blind, size, a + <usize>blind * lda, lda, 4, panel, 32, to, ldc, false);
  }
}

/**
 * Sums of positions, weighted for each row: o [rows, size] = p panels, of 8 floats and `n` positions each. Zeros stand in p
 * where a row sees less than others of its six.
 */
export function sumTile(
  rows: i32,
  seen: i32,
  size: i32,
  n: i32,
  p: usize,
  ldp: usize,
  panels: usize,
  o: usize,
  ldo: usize,
): void {
  const width = seen + rows - 1;
  for (let k = 0; k < width; k += DEPTH) {
    for (let d = 0; d < size; d += 8) {
      const panel = panels + ((<usize>(d * n + k * 8)) << 2);
      for (let i = 0; i < rows; i += GROUP) {
        const group = min(GROUP, rows - i);
        const depth = min(DEPTH, seen + i + group - 1 - k);
        const from = p + <usize>i * ldp + ((<usize>k) << 2);
        const to = o + <usize>i * ldo + ((<usize>d) << 2);
        if (depth > 0) tiles(group, depth, from, ldp, 4, panel, 32, to, ldo, k > 0);
      }
    }
  }
}

/** What each position had from rows: c [seen + rows - 1, size] += p^T panels, of 8 floats and `rows` rows each. */
export function spreadTile(
  rows: i32,
  seen: i32,
  size: i32,
  p: usize,
  ldp: usize,
  panels: usize,
  c: usize,
  ldc: usize,
): void {
  const width = seen + rows - 1;
  for (let j = 0; j < width; j += GROUP) {
    const blind = max(0, j - seen + 1);
    const from = p + <usize>blind * ldp + ((<usize>j) << 2);
    for (let d = 0; d < size; d += 8) {
      const panel = panels + ((<usize>(d * rows + blind * 8)) << 2);
      const to = c + <usize>j * ldc + ((<usize>d) << 2);
      tiles(min(GROUP, width - j), rows - blind, from, 4, ldp, panel, 32, to, ldc, true);
    }
  }
}

/**
 * As {@link scoreTile} and {@link sumTile} for few rows that all see the same `k`: c [rows, n] = a panels, which are `step`
 * bytes apart; n is a multiple of 8.
 */
export function fewRows(
  rows: i32,
  n: i32,
  k: i32,
  a: usize,
  lda: usize,
  panels: usize,
  step: usize,
  c: usize,
  ldc: usize,
): void {
  let j = 0;
  if (rows < 3) {
    for (; j + 32 <= n; j += 32) {
      const to = c + ((<usize>j) << 2);
      for (let i = 0; i < rows; i++)
        tile1x32<Panels>(k, a + <usize>i * lda, 4, panels, step, to + <usize>i * ldc, false);
      panels += 4 * step;
    }
  }
  for (; j < n; j += 8) {
    tiles(rows, k, a, lda, 4, panels, 32, c + ((<usize>j) << 2), ldc, false);
    panels += step;
  }
}
