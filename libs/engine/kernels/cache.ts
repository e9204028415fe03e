import { ROWS, softmaxTile } from './attention';
import { fewRows, scoreTile, sumTile } from './head-panels';

// The cache of one sequence and one layer, in the panels that attention takes: keys [kv, capacity / 8, size, 8], where 8
// positions lie side by side, and values [kv, size / 8, capacity, 8]. Capacity and size are multiples of 8.

/** Puts the keys and values [n, kv*size] of the positions from `position` on into the cache. */
export function appendCache(
  n: i32,
  position: i32,
  kv: i32,
  size: i32,
  capacity: i32,
  k: usize,
  v: usize,
  keys: usize,
  values: usize,
): void {
  for (let t = 0; t < n; t++) {
    const at = position + t;
    for (let h = 0; h < kv; h++) {
      let key = keys + ((<usize>((h * capacity + (at & ~7)) * size + (at & 7))) << 2);
      for (let d = 0; d < size; d++) {
        store<f32>(key, load<f32>(k + ((<usize>d) << 2)));
        key += 32;
      }
      for (let d = 0; d < size; d += 8) {
        memory.copy(values + ((<usize>((h * size + d) * capacity + at * 8)) << 2), v + ((<usize>d) << 2), 32);
      }
      k += (<usize>size) << 2;
      v += (<usize>size) << 2;
    }
  }
}

/** Copies the first `length` positions of one layer's cache into a cache of another capacity. */
export function growCache(
  length: i32,
  kv: i32,
  size: i32,
  from: usize,
  capacity: i32,
  to: usize,
  newCapacity: i32,
): void {
  const panels = (<usize>(((length + 7) & ~7) * size)) << 2;
  for (let h = 0; h < kv; h++) {
    memory.copy(to + ((<usize>(h * newCapacity * size)) << 2), from + ((<usize>(h * capacity * size)) << 2), panels);
  }
  const fromValues = from + ((<usize>(kv * size * capacity)) << 2);
  const toValues = to + ((<usize>(kv * size * newCapacity)) << 2);
  for (let row = 0; row < kv * size; row += 8) {
    memory.copy(
      toValues + ((<usize>(row * newCapacity)) << 2),
      fromValues + ((<usize>(row * capacity)) << 2),
      (<usize>length) << 5,
    );
  }
}

/**
 * Attention of `n` new positions, already in the cache, over everything up to them: the same sums as `attend`.
 * `scores` holds 36*capacity floats, or heads*capacity if that is more.
 */
export function attendCache(
  n: i32,
  position: i32,
  heads: i32,
  kv: i32,
  size: i32,
  capacity: i32,
  q: usize,
  keys: usize,
  values: usize,
  o: usize,
  scores: usize,
): void {
  const share = heads / kv;
  const cached = (<usize>(size * capacity)) << 2;
  const head = (<usize>size) << 2;
  const ld = (<usize>capacity) << 2;
  if (n == 1) {
    // The query heads that share a key head are rows of one product.
    const seen = position + 1;
    for (let h = 0; h < kv; h++) {
      fewRows(share, (seen + 7) & ~7, size, q, head, keys, head << 3, scores, ld);
      for (let i = 0; i < share; i++) softmaxTile(scores + <usize>i * ld, 1, seen, ld, seen);
      fewRows(share, size, seen, scores, ld, values, ld << 3, o, head);
      q += <usize>share * head;
      o += <usize>share * head;
      keys += cached;
      values += cached;
    }
    return;
  }
  const ldq = <usize>heads * head;
  for (let h = 0; h < heads; h++) {
    const from = <usize>(h / share) * cached;
    for (let t0 = 0; t0 < n; t0 += ROWS) {
      const rows = min(ROWS, n - t0);
      const seen = position + t0 + 1;
      const at = <usize>t0 * ldq + <usize>h * head;
      scoreTile(rows, seen, size, q + at, ldq, keys + from, scores, ld);
      softmaxTile(scores, rows, seen + rows - 1, ld, seen);
      sumTile(rows, seen, size, capacity, scores, ld, values + from, o + at, ldq);
    }
  }
}
