import { packFloats, packPositions, scoreTile, spreadTile, sumTile } from './head-panels';
import { horizontalSum } from './horizontal-sum';
import { softmaxRow } from './softmax';

/** Query rows that are attended at a time: the scores of so many rows are all that is ever in memory. */
export const ROWS: i32 = 36;

/** Causal softmax of a tile: row i sees `seen + i` keys; what lies beyond, up to `width`, becomes zero. */
export function softmaxTile(scores: usize, rows: i32, width: i32, ld: usize, seen: i32): void {
  for (let i = 0; i < rows; i++) {
    softmaxRow(scores, seen + i);
    clear(scores, seen + i, width);
    scores += ld;
  }
}

function clear(row: usize, from: i32, to: i32): void {
  if (to > from) memory.fill(row + ((<usize>from) << 2), 0, (<usize>(to - from)) << 2);
}

/**
 * Causal attention of the last `t` of `tk` positions: q [t, heads*size] already scaled, k and v [tk, kv*size], o as q.
 * `room` holds what tensor/kernels.ts says; the size of a head is a multiple of 8.
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
  room: usize,
): void {
  const share = heads / kv;
  const ldq = (<usize>(heads * size)) << 2;
  const ldk = (<usize>(kv * size)) << 2;
  const ld = (<usize>((tk + 7) & ~7)) << 2;
  const keys = room + <usize>ROWS * ld;
  const values = keys + <usize>size * ld;
  for (let h = 0; h < heads; h++) {
    if (h % share == 0) {
      const at = (<usize>((h / share) * size)) << 2;
      packPositions(tk, size, k + at, ldk, 4, keys);
      packFloats(tk, size, v + at, ldk, values);
    }
    for (let t0 = 0; t0 < t; t0 += ROWS) {
      const rows = min(ROWS, t - t0);
      const seen = tk - t + t0 + 1;
      const at = <usize>t0 * ldq + ((<usize>(h * size)) << 2);
      scoreTile(rows, seen, size, q + at, ldq, keys, room, ld);
      softmaxTile(room, rows, seen + rows - 1, ld, seen);
      sumTile(rows, seen, size, tk, room, ld, values, o + at, ldq);
    }
  }
}

/** Gradient of {@link attend}. Writes dq, adds to dk and dv. */
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
  room: usize,
): void {
  const share = heads / kv;
  const ldq = (<usize>(heads * size)) << 2;
  const ldk = (<usize>(kv * size)) << 2;
  const ld = (<usize>((tk + 7) & ~7)) << 2;
  const dScores = room + <usize>ROWS * ld;
  const keys = dScores + <usize>ROWS * ld;
  const values = keys + <usize>size * ld;
  const keySums = values + <usize>size * ld;
  const rowsOfO = keySums + <usize>size * ld;
  const rowsOfQ = rowsOfO + ((<usize>(ROWS * size)) << 2);
  for (let h = 0; h < heads; h++) {
    const kh = (<usize>((h / share) * size)) << 2;
    if (h % share == 0) {
      packPositions(tk, size, k + kh, ldk, 4, keys);
      packPositions(tk, size, v + kh, ldk, 4, values);
      packFloats(tk, size, k + kh, ldk, keySums);
    }
    for (let t0 = 0; t0 < t; t0 += ROWS) {
      const rows = min(ROWS, t - t0);
      const seen = tk - t + t0 + 1;
      const at = <usize>t0 * ldq + ((<usize>(h * size)) << 2);
      packFloats(rows, size, dO + at, ldq, rowsOfO);
      packFloats(rows, size, q + at, ldq, rowsOfQ);
      scoreTile(rows, seen, size, q + at, ldq, keys, room, ld);
      softmaxTile(room, rows, seen + rows - 1, ld, seen);
      spreadTile(rows, seen, size, room, ld, rowsOfO, dv + kh, ldk);
      scoreTile(rows, seen, size, dO + at, ldq, values, dScores, ld);
      softmaxBackward(room, dScores, rows, seen + rows - 1, ld, seen);
      sumTile(rows, seen, size, tk, dScores, ld, keySums, dq + at, ldq);
      spreadTile(rows, seen, size, dScores, ld, rowsOfQ, dk + kh, ldk);
    }
  }
}

/** dP becomes dS = P (dP - sum(P dP)), and zero beyond the causal edge. */
function softmaxBackward(p: usize, dP: usize, rows: i32, width: i32, ld: usize, seen: i32): void {
  for (let i = 0; i < rows; i++) {
    const n = seen + i;
    let sums = f32x4.splat(0);
    let j = 0;
    for (; j + 4 <= n; j += 4) {
      const at = (<usize>j) << 2;
      sums = f32x4.add(sums, f32x4.mul(v128.load(p + at), v128.load(dP + at)));
    }
    let sum = horizontalSum(sums);
    for (; j < n; j++) sum += load<f32>(p + ((<usize>j) << 2)) * load<f32>(dP + ((<usize>j) << 2));
    const mean = f32x4.splat(sum);
    for (j = 0; j + 4 <= n; j += 4) {
      const at = (<usize>j) << 2;
      v128.store(dP + at, f32x4.mul(v128.load(p + at), f32x4.sub(v128.load(dP + at), mean)));
    }
    for (; j < n; j++) {
      const at = (<usize>j) << 2;
      store<f32>(dP + at, load<f32>(p + at) * (load<f32>(dP + at) - sum));
    }
    clear(dP, n, width);
    p += ld;
    dP += ld;
  }
}
