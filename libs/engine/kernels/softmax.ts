import { horizontalSum } from './horizontal-sum';
import { multiplyAdd } from './multiply-add';

/** Added to a small number, rounds it to an integer, which is in the low bits of the sum. */
const ROUND: f32 = 12582912;

/**
 * e^x in four lanes, within 2 ulp: Cody-Waite reduction and the polynomial of Cephes' expf. Of what WebAssembly has for
 * least, greatest, rounding and conversion, this takes what is one instruction on the processor.
 */
export function exp4(x: v128): v128 {
  x = f32x4.pmax(f32x4.pmin(x, f32x4.splat(88)), f32x4.splat(-87));
  const rounded = f32x4.add(f32x4.mul(x, f32x4.splat(1.44269504088896341)), f32x4.splat(ROUND));
  const n = f32x4.sub(rounded, f32x4.splat(ROUND));
  x = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
  x = f32x4.sub(x, f32x4.mul(n, f32x4.splat(-2.1219444e-4)));
  let p = f32x4.splat(1.98756915e-4);
  p = multiplyAdd(p, x, f32x4.splat(1.3981999507e-3));
  p = multiplyAdd(p, x, f32x4.splat(8.3334519073e-3));
  p = multiplyAdd(p, x, f32x4.splat(4.1665795894e-2));
  p = multiplyAdd(p, x, f32x4.splat(1.6666665459e-1));
  p = multiplyAdd(p, x, f32x4.splat(5.0000001201e-1));
  p = f32x4.add(multiplyAdd(f32x4.mul(x, x), p, x), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(rounded, i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}

function exp1(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

/** In four chains: a processor takes several steps to find a greater one. */
function greatest(row: usize, n: i32): f32 {
  let i = 0;
  let m0 = f32x4.splat(-f32.MAX_VALUE);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  for (; i + 16 <= n; i += 16) {
    const at = row + ((<usize>i) << 2);
    m0 = f32x4.pmax(m0, v128.load(at));
    m1 = f32x4.pmax(m1, v128.load(at, 16));
    m2 = f32x4.pmax(m2, v128.load(at, 32));
    m3 = f32x4.pmax(m3, v128.load(at, 48));
  }
  for (; i + 4 <= n; i += 4) m0 = f32x4.pmax(m0, v128.load(row + ((<usize>i) << 2)));
  const m = f32x4.pmax(f32x4.pmax(m0, m1), f32x4.pmax(m2, m3));
  let best = max(
    max(f32x4.extract_lane(m, 0), f32x4.extract_lane(m, 1)),
    max(f32x4.extract_lane(m, 2), f32x4.extract_lane(m, 3)),
  );
  for (; i < n; i++) best = max(best, load<f32>(row + ((<usize>i) << 2)));
  return best;
}

/** The first `n` floats of a row become e^(x - greatest); returns one over their sum. */
function exponentials(row: usize, n: i32): f32 {
  const top = f32x4.splat(greatest(row, n));
  let sums = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = row + ((<usize>i) << 2);
    const e = exp4(f32x4.sub(v128.load(at), top));
    v128.store(at, e);
    sums = f32x4.add(sums, e);
  }
  let sum = horizontalSum(sums);
  for (; i < n; i++) {
    const at = row + ((<usize>i) << 2);
    const e = exp1(load<f32>(at) - f32x4.extract_lane(top, 0));
    store<f32>(at, e);
    sum += e;
  }
  return 1 / sum;
}

/** Softmax of the first `n` floats of a row, in place. */
export function softmaxRow(row: usize, n: i32): void {
  const inverse = exponentials(row, n);
  const factor = f32x4.splat(inverse);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = row + ((<usize>i) << 2);
    v128.store(at, f32x4.mul(v128.load(at), factor));
  }
  for (; i < n; i++) {
    const at = row + ((<usize>i) << 2);
    store<f32>(at, load<f32>(at) * inverse);
  }
}

/** log(sum(exp(row))): a token's log probability is its logit less this, in training and in sampling alike. */
export function logSumExp(row: usize, n: i32): f32 {
  const best = greatest(row, n);
  const top = f32x4.splat(best);
  let sums = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) sums = f32x4.add(sums, exp4(f32x4.sub(v128.load(row + ((<usize>i) << 2)), top)));
  let sum = horizontalSum(sums);
  for (; i < n; i++) sum += exp1(load<f32>(row + ((<usize>i) << 2)) - best);
  return best + Mathf.log(sum);
}

/** For each row of logits [rows, n]: the log probability of its target, and the entropy of its distribution, in nats. */
export function scoreTargets(
  logits: usize,
  targets: usize,
  logprobs: usize,
  entropies: usize,
  rows: i32,
  n: i32,
): void {
  for (let r = 0; r < rows; r++) {
    const best = greatest(logits, n);
    const top = f32x4.splat(best);
    let sums = f32x4.splat(0);
    let weighted = f32x4.splat(0);
    let i = 0;
    for (; i + 4 <= n; i += 4) {
      const z = f32x4.sub(v128.load(logits + ((<usize>i) << 2)), top);
      const e = exp4(z);
      sums = f32x4.add(sums, e);
      weighted = multiplyAdd(e, z, weighted);
    }
    let sum = horizontalSum(sums);
    let mean = horizontalSum(weighted);
    for (; i < n; i++) {
      const z = load<f32>(logits + ((<usize>i) << 2)) - best;
      const e = exp1(z);
      sum += e;
      mean += e * z;
    }
    const log = Mathf.log(sum);
    const target = <usize>load<i32>(targets + ((<usize>r) << 2));
    // As logSumExp has it.
    store<f32>(logprobs + ((<usize>r) << 2), load<f32>(logits + (target << 2)) - (best + log));
    store<f32>(entropies + ((<usize>r) << 2), log - mean / sum);
    logits += (<usize>n) << 2;
  }
}

/** Logits [rows, n] become the gradient of sum(g[r] * logprob[r]): g (onehot - softmax). */
export function targetGradient(logits: usize, targets: usize, g: usize, rows: i32, n: i32): void {
  for (let r = 0; r < rows; r++) {
    const factor = load<f32>(g + ((<usize>r) << 2));
    const inverse = exponentials(logits, n);
    const scale = f32x4.splat(inverse);
    const negative = f32x4.splat(-factor);
    let i = 0;
    for (; i + 4 <= n; i += 4) {
      const at = logits + ((<usize>i) << 2);
      v128.store(at, f32x4.mul(f32x4.mul(v128.load(at), scale), negative));
    }
    for (; i < n; i++) {
      const at = logits + ((<usize>i) << 2);
      store<f32>(at, load<f32>(at) * inverse * -factor);
    }
    const at = logits + ((<usize>load<i32>(targets + ((<usize>r) << 2))) << 2);
    store<f32>(at, load<f32>(at) + factor);
    logits += (<usize>n) << 2;
  }
}
