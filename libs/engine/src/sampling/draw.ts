/** What restricts a draw besides the logits themselves. */
export interface DrawLimits {
  /** Greater than 0. */
  temperature: number;
  /** Keep this many of the most probable tokens, and those equal to the last of them; 0: all. */
  topK: number;
  /** Of those, keep the fewest most probable whose probabilities sum to this; 1: all. */
  topP: number;
  /** Of those, keep what has at least this share of the most probable token's probability; 0: all. */
  minP: number;
}

// A thread draws one token at a time, so all draws of a thread share their scratch memory.
let ids = new Int32Array(0);
let weights = new Float64Array(0);

const BINS = 256;
const BINS_PER_NAT = 4;
const bins = new Float64Array(BINS);

function reserve(size: number): void {
  if (ids.length >= size) return;
  ids = new Int32Array(size);
  weights = new Float64Array(size);
}

/** The token of the largest logit, of equal ones the first; -1 where every logit is -Infinity. */
export function argmax(logits: Float32Array): number {
  let best = -1;
  let max = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    if (logits[id]! > max) {
      max = logits[id]!;
      best = id;
    }
  }
  return best;
}

/** Draws at temperature 1 from logits whose log-sum-exp is known: half a pass on average. `u` is uniform in [0, 1). */
export function drawNormalised(logits: Float32Array, lse: number, u: number): number {
  let sum = 0;
  for (let id = 0; id < logits.length; id++) {
    sum += Math.exp(logits[id]! - lse);
    if (sum > u) return id;
  }
  // Rounding left the sum a little short of 1.
  return argmax(logits);
}

/** Draws a token; -1 where every logit is -Infinity. Sums run in a fixed order: the same input gives the same token. */
export function draw(logits: Float32Array, limits: DrawLimits, u: number): number {
  const best = argmax(logits);
  if (best < 0) return -1;
  reserve(logits.length);
  const max = logits[best]!;
  const { temperature, topK, topP, minP } = limits;
  const least = topK > 0 && topK < logits.length ? largest(logits, topK) : -Infinity;
  let count = 0;
  let total = 0;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (logit < least || logit === -Infinity) continue;
    const weight = Math.exp((logit - max) / temperature);
    ids[count] = id;
    weights[count++] = weight;
    total += weight;
  }
  if (topP < 1) [count, total] = nucleus(logits, count, topP * total, max, temperature);
  if (minP > 0) [count, total] = atLeast(count, minP);
  return choose(count, u * total) ?? best;
}

function choose(count: number, target: number): number | null {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += weights[i]!;
    if (sum > target) return ids[i]!;
  }
  return null;
}

/**
 * Keeps the fewest most probable candidates that weigh `mass` together, best first. Only those near the top are sorted:
 * how far down that is, a histogram says.
 */
function nucleus(
  logits: Float32Array,
  count: number,
  mass: number,
  max: number,
  temperature: number,
): [number, number] {
  const bin = (id: number): number =>
    Math.min(BINS - 1, Math.floor(((max - logits[id]!) / temperature) * BINS_PER_NAT));
  bins.fill(0);
  for (let i = 0; i < count; i++) bins[bin(ids[i]!)]! += weights[i]!;
  let last = 0;
  for (let sum = bins[0]!; sum < mass && last < BINS - 1; sum += bins[last]!) last++;
  let near = 0;
  for (let i = 0; i < count; i++) if (bin(ids[i]!) <= last) ids[near++] = ids[i]!;
  const sorted = ids.subarray(0, near).sort((a, b) => logits[b]! - logits[a]! || a - b);
  let kept = 0;
  let total = 0;
  while (kept < near && (total < mass || kept === 0)) {
    weights[kept] = Math.exp((logits[sorted[kept]!]! - max) / temperature);
    total += weights[kept++]!;
  }
  return [kept, total];
}

/** Keeps the candidates that weigh at least `least`, where the best weighs 1. */
function atLeast(count: number, least: number): [number, number] {
  let kept = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (weights[i]! < least) continue;
    ids[kept] = ids[i]!;
    weights[kept++] = weights[i]!;
    total += weights[i]!;
  }
  return [kept, total];
}

/** The k-th largest value, 1 <= k <= length. */
function largest(values: Float32Array, k: number): number {
  // A heap costs k log k where values come in any order, sorting all of them costs the same whatever k is.
  if (k > 1024) return values.slice().sort()[values.length - k]!;
  const heap = values.slice(0, k).sort();
  for (let i = k; i < values.length; i++) {
    const value = values[i]!;
    if (!(value > heap[0]!)) continue;
    let hole = 0;
    for (let child = 1; child < k; child = 2 * hole + 1) {
      if (child + 1 < k && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = value;
  }
  return heap[0]!;
}
