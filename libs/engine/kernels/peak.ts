import { multiplyAdd } from './multiply-add';

/**
 * Multiplies and adds in registers only, 112 floating-point operations a round in 14 independent chains: what 128-bit SIMD
 * can do at most.
 */
export function peak(rounds: i32): f32 {
  const x = f32x4.splat(0.999);
  let a = x;
  let b = x;
  let c = x;
  let d = x;
  let e = x;
  let f = x;
  let g = x;
  let h = x;
  let i = x;
  let j = x;
  let k = x;
  let l = x;
  let m = x;
  let n = x;
  for (; rounds > 0; rounds--) {
    a = multiplyAdd(a, x, x);
    b = multiplyAdd(b, x, x);
    c = multiplyAdd(c, x, x);
    d = multiplyAdd(d, x, x);
    e = multiplyAdd(e, x, x);
    f = multiplyAdd(f, x, x);
    g = multiplyAdd(g, x, x);
    h = multiplyAdd(h, x, x);
    i = multiplyAdd(i, x, x);
    j = multiplyAdd(j, x, x);
    k = multiplyAdd(k, x, x);
    l = multiplyAdd(l, x, x);
    m = multiplyAdd(m, x, x);
    n = multiplyAdd(n, x, x);
  }
  a = f32x4.add(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), f32x4.add(f32x4.add(e, f), f32x4.add(g, h)));
  i = f32x4.add(f32x4.add(f32x4.add(i, j), f32x4.add(k, l)), f32x4.add(m, n));
  return f32x4.extract_lane(f32x4.add(a, i), 0);
}
