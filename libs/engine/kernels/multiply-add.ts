/**
 * x * y + sum in four lanes: one instruction that rounds once in the build with relaxed SIMD, on processors that have it.
 * Every sum of products goes through here, so that all of one process are rounded alike.
 */
export function multiplyAdd(x: v128, y: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(x, y, sum);
  return f32x4.add(sum, f32x4.mul(x, y));
}
