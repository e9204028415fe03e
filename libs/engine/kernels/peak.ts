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
    a = f32x4.add(f32x4.mul(a, x), x);
    b = f32x4.add(f32x4.mul(b, x), x);
    c = f32x4.add(f32x4.mul(c, x), x);
    d = f32x4.add(f32x4.mul(d, x), x);
    e = f32x4.add(f32x4.mul(e, x), x);
    f = f32x4.add(f32x4.mul(f, x), x);
    g = f32x4.add(f32x4.mul(g, x), x);
    h = f32x4.add(f32x4.mul(h, x), x);
    i = f32x4.add(f32x4.mul(i, x), x);
    j = f32x4.add(f32x4.mul(j, x), x);
    k = f32x4.add(f32x4.mul(k, x), x);
    l = f32x4.add(f32x4.mul(l, x), x);
    m = f32x4.add(f32x4.mul(m, x), x);
    n = f32x4.add(f32x4.mul(n, x), x);
  }
  a = f32x4.add(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), f32x4.add(f32x4.add(e, f), f32x4.add(g, h)));
  i = f32x4.add(f32x4.add(f32x4.add(i, j), f32x4.add(k, l)), f32x4.add(m, n));
  return f32x4.extract_lane(f32x4.add(a, i), 0);
}
