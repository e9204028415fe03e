import { gemm } from './gemm';
import { horizontalSum } from './horizontal-sum';
import { softmaxRow } from './softmax';

/** Query rows that are attended at a time: the scores of so many rows are all that is ever in memory. */
const ROWS: i32 = 32;

/** Causal softmax of a tile: row i sees `seen + i` keys; what lies beyond, up to `width`, becomes zero. */
export function softmaxTile(scores: usize, rows: i32, width: i32, ld: i32, seen: i32): void {
  for (let i = 0; i < rows; i++) {
    softmaxRow(scores, seen + i);
    const rest = width - seen - i;
    if (rest > 0) memory.fill(scores + ((<usize>(seen + i)) << 2), 0, (<usize>rest) << 2);
    scores += (<usize>ld) << 2;
  }
}

/**
 * Causal attention of the last `t` of `tk` positions: q [t, heads*size] already scaled, k and v [tk, kv*size], o as q.
 * `scores` holds 32*tk floats.
 */
export function attend(
  t: i32,
  tk: i32,
  heads: i32,
  kv: i32,
  size: i32,
  q: usize,
  k: usize,
  v: usize,
  o: usize,
  scores: usize,
  scratch: usize,
): void {
  const share = heads / kv;
  const ldq = heads * size;
  const ldk = kv * size;
  for (let h = 0; h < heads; h++) {
    const kh = (<usize>((h / share) * size)) << 2;
    for (let t0 = 0; t0 < t; t0 += ROWS) {
      const rows = min(ROWS, t - t0);
      const seen = tk - t + t0 + 1;
      const width = seen + rows - 1;
      const at = (<usize>(t0 * ldq + h * size)) << 2;
      gemm(rows, width, size, q + at, ldq, 1, k + kh, 1, ldk, scores, tk, false, scratch);
      softmaxTile(scores, rows, width, tk, seen);
      gemm(rows, size, width, scores, tk, 1, v + kh, ldk, 1, o + at, ldq, false, scratch);
    }
  }
}

/** Gradient of {@link attend}. Writes dq, adds to dk and dv. `scores` holds 64*tk floats. */
export function attendBackward(
  t: i32,
  tk: i32,
  heads: i32,
  kv: i32,
  size: i32,
  q: usize,
  k: usize,
  v: usize,
  dO: usize,
  dq: usize,
  dk: usize,
  dv: usize,
  scores: usize,
  scratch: usize,
): void {
  const share = heads / kv;
  const ldq = heads * size;
  const ldk = kv * size;
  const dScores = scores + ((<usize>(ROWS * tk)) << 2);
  for (let h = 0; h < heads; h++) {
    const kh = (<usize>((h / share) * size)) << 2;
    for (let t0 = 0; t0 < t; t0 += ROWS) {
      const rows = min(ROWS, t - t0);
      const seen = tk - t + t0 + 1;
      const width = seen + rows - 1;
      const at = (<usize>(t0 * ldq + h * size)) << 2;
      gemm(rows, width, size, q + at, ldq, 1, k + kh, 1, ldk, scores, tk, false, scratch);
      softmaxTile(scores, rows, width, tk, seen);
      gemm(width, size, rows, scores, 1, tk, dO + at, ldq, 1, dv + kh, ldk, true, scratch);
      gemm(rows, width, size, dO + at, ldq, 1, v + kh, 1, ldk, dScores, tk, false, scratch);
      softmaxBackward(scores, dScores, rows, width, tk);
      gemm(rows, size, width, dScores, tk, 1, k + kh, ldk, 1, dq + at, ldq, false, scratch);
      gemm(width, size, rows, dScores, 1, tk, q + at, ldq, 1, dk + kh, ldk, true, scratch);
    }
  }
}

/** dP becomes dS = P (dP - sum(P dP)); beyond the causal edge P is zero, and so is dS. */
function softmaxBackward(p: usize, dP: usize, rows: i32, width: i32, ld: i32): void {
  for (let i = 0; i < rows; i++) {
    let sums = f32x4.splat(0);
    let j = 0;
    for (; j + 4 <= width; j += 4) {
      const at = (<usize>j) << 2;
      sums = f32x4.add(sums, f32x4.mul(v128.load(p + at), v128.load(dP + at)));
    }
    let sum = horizontalSum(sums);
    for (; j < width; j++) sum += load<f32>(p + ((<usize>j) << 2)) * load<f32>(dP + ((<usize>j) << 2));
    const mean = f32x4.splat(sum);
    for (j = 0; j + 4 <= width; j += 4) {
      const at = (<usize>j) << 2;
      v128.store(dP + at, f32x4.mul(v128.load(p + at), f32x4.sub(v128.load(dP + at), mean)));
    }
    for (; j < width; j++) {
      const at = (<usize>j) << 2;
      store<f32>(dP + at, load<f32>(p + at) * (load<f32>(dP + at) - sum));
    }
    p += (<usize>ld) << 2;
    dP += (<usize>ld) << 2;
  }
}
