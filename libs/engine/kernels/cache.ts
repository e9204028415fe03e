import { softmaxTile } from './attention';
import { gemm } from './gemm';

const ROWS: i32 = 32;

// The cache of one sequence and one layer: keys transposed, [kv, size, capacity], so that scores are sums over whole
// vectors of positions; values [kv, capacity, size]. The capacity is a multiple of 8.

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
  const ld = kv * size;
  for (let h = 0; h < kv; h++) {
    for (let t = 0; t < n; t++) {
      const from = (<usize>(t * ld + h * size)) << 2;
      memory.copy(values + ((<usize>((h * capacity + position + t) * size)) << 2), v + from, (<usize>size) << 2);
      for (let d = 0; d < size; d++) {
        store<f32>(
          keys + ((<usize>((h * size + d) * capacity + position + t)) << 2),
          load<f32>(k + from + ((<usize>d) << 2)),
        );
      }
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
  for (let row = 0; row < kv * size; row++) {
    memory.copy(
      to + ((<usize>(row * newCapacity)) << 2),
      from + ((<usize>(row * capacity)) << 2),
      (<usize>length) << 2,
    );
  }
  const fromValues = from + ((<usize>(kv * size * capacity)) << 2);
  const toValues = to + ((<usize>(kv * size * newCapacity)) << 2);
  for (let h = 0; h < kv; h++) {
    memory.copy(
      toValues + ((<usize>(h * newCapacity * size)) << 2),
      fromValues + ((<usize>(h * capacity * size)) << 2),
      (<usize>(length * size)) << 2,
    );
  }
}

/**
 * Attention of `n` new positions, already in the cache, over everything up to them: the same sums as `attend`.
 * `scores` holds 32*capacity floats, or heads*capacity if that is more.
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
  scratch: usize,
): void {
  const share = heads / kv;
  const ldq = heads * size;
  if (n == 1) {
    // The query heads that share a key head are rows of one product.
    const width = (position + 8) & ~7;
    for (let h = 0; h < kv; h++) {
      const at = (<usize>(h * share * size)) << 2;
      gemm(
        share,
        width,
        size,
        q + at,
        size,
        1,
        keys + ((<usize>(h * size * capacity)) << 2),
        capacity,
        1,
        scores,
        capacity,
        false,
        scratch,
      );
      for (let i = 0; i < share; i++)
        softmaxTile(scores + ((<usize>(i * capacity)) << 2), 1, position + 1, capacity, position + 1);
      gemm(
        share,
        size,
        position + 1,
        scores,
        capacity,
        1,
        values + ((<usize>(h * capacity * size)) << 2),
        size,
        1,
        o + at,
        size,
        false,
        scratch,
      );
    }
    return;
  }
  for (let h = 0; h < heads; h++) {
    const cached = h / share;
    for (let t0 = 0; t0 < n; t0 += ROWS) {
      const rows = min(ROWS, n - t0);
      const seen = position + t0 + 1;
      const width = seen + rows - 1;
      const at = (<usize>(t0 * ldq + h * size)) << 2;
      gemm(
        rows,
        (width + 7) & ~7,
        size,
        q + at,
        ldq,
        1,
        keys + ((<usize>(cached * size * capacity)) << 2),
        capacity,
        1,
        scores,
        capacity,
        false,
        scratch,
      );
      softmaxTile(scores, rows, width, capacity, seen);
      gemm(
        rows,
        size,
        width,
        scores,
        capacity,
        1,
        values + ((<usize>(cached * capacity * size)) << 2),
        size,
        1,
        o + at,
        ldq,
        false,
        scratch,
      );
    }
  }
}
