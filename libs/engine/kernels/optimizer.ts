/**
 * One step of AdamW (Loshchilov and Hutter 2019, as PyTorch computes it) on n weights, a multiple of 4:
 * m and v are the moments, `correction1` = 1 - beta1^t, `correction2` = 1 - beta2^t, `clip` the factor on the gradient.
 */
export function adamw(
  weights: usize,
  gradient: usize,
  m: usize,
  v: usize,
  n: i32,
  learningRate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  weightDecay: f32,
  correction1: f32,
  correction2: f32,
  clip: f32,
): void {
  const b1 = f32x4.splat(beta1);
  const b2 = f32x4.splat(beta2);
  const rest1 = f32x4.splat(1 - beta1);
  const rest2 = f32x4.splat(1 - beta2);
  const factor = f32x4.splat(clip);
  const decay = f32x4.splat(1 - learningRate * weightDecay);
  const step = f32x4.splat(learningRate / correction1);
  const root = f32x4.splat(1 / Mathf.sqrt(correction2));
  const eps = f32x4.splat(epsilon);
  for (let i: usize = 0; i < (<usize>n) << 2; i += 16) {
    const g = f32x4.mul(v128.load(gradient + i), factor);
    const first = f32x4.add(f32x4.mul(v128.load(m + i), b1), f32x4.mul(g, rest1));
    const second = f32x4.add(f32x4.mul(v128.load(v + i), b2), f32x4.mul(f32x4.mul(g, g), rest2));
    v128.store(m + i, first);
    v128.store(v + i, second);
    const denominator = f32x4.add(f32x4.mul(f32x4.sqrt(second), root), eps);
    const update = f32x4.div(f32x4.mul(first, step), denominator);
    v128.store(weights + i, f32x4.sub(f32x4.mul(v128.load(weights + i), decay), update));
  }
}
