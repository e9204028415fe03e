import type { Address } from '../tensor/kernels.js';
import type { BatchPlan } from './batch-plan.js';
import type { Compute } from './compute.js';
import type { Heads, PassBuffers } from './pass.buffers.js';

/**
 * From what the linear layers gave to what attention takes: each head normed where the family does that, and turned by
 * its position; `to` may be `from`. Leaves a float for each query head and then for each key head in `inverse`.
 */
export function prepareHeads(
  compute: Compute,
  layer: number,
  rows: number,
  positions: Address,
  from: Heads,
  to: Heads,
  inverse: Address,
): void {
  const { kernels, model, layout } = compute;
  const { heads, keyValueHeads, headSize, normEpsilon } = model.config;
  const norms = layout.layers[layer]!.headNorms;
  if (norms) {
    const [query, key, queries] = [compute.weight(norms.query), compute.weight(norms.key), rows * heads];
    kernels.rmsNorm(from.q, query, to.q, inverse, queries, headSize, normEpsilon);
    kernels.rmsNorm(from.k, key, to.k, inverse + queries * 4, rows * keyValueHeads, headSize, normEpsilon);
  }
  turnHeads(compute, rows, positions, to, 1);
}

/** What attention took in the forward pass: computed again where norms need the linear layers' own output kept. */
export function headsOf(compute: Compute, plan: BatchPlan, buffers: PassBuffers, layer: number): Heads {
  const own = buffers.layers[layer]!;
  if (!buffers.normedHeads) return own;
  prepareHeads(compute, layer, plan.rows, buffers.positions, own, buffers.normedHeads, buffers.headInverse);
  return buffers.normedHeads;
}

/**
 * The way back of {@link prepareHeads}, after {@link headsOf} for the same layer.
 * @param d gradients of what attention took; they are overwritten
 * @param base where the gradients of the base model's weights are added, or 0
 * @returns where the gradients of the linear layers' output are
 */
export function prepareHeadsBackward(
  compute: Compute,
  plan: BatchPlan,
  buffers: PassBuffers,
  layer: number,
  d: Heads,
  base: Address,
): Heads {
  const { kernels, model, layout } = compute;
  const { heads, keyValueHeads, headSize } = model.config;
  turnHeads(compute, plan.rows, buffers.positions, d, -1);
  const norms = layout.layers[layer]!.headNorms;
  const { normedHeads: to, headInverse } = buffers;
  if (!norms || !to) return d;
  const own = buffers.layers[layer]!;
  const [queries, keys] = [plan.rows * heads, plan.rows * keyValueHeads];
  for (const [x, place, inverse, dy, dx, count] of [
    [own.q, norms.query, headInverse, d.q, to.q, queries],
    [own.k, norms.key, headInverse + queries * 4, d.k, to.k, keys],
  ] as const) {
    kernels.fill(dx, count * headSize);
    const dWeight = base ? base + place.offset * 4 : 0;
    kernels.rmsNormBackward(x, compute.weight(place), inverse, dy, dx, dWeight, count, headSize);
  }
  return to;
}

/** RoPE, there or back; queries are scaled as attention wants them. */
function turnHeads({ kernels, model }: Compute, rows: number, positions: Address, { q, k }: Heads, sign: 1 | -1): void {
  const { heads, keyValueHeads, headSize } = model.config;
  kernels.rotate(q, positions, rows, heads, headSize, model.cos, model.sin, sign, 1 / Math.sqrt(headSize));
  kernels.rotate(k, positions, rows, keyValueHeads, headSize, model.cos, model.sin, sign, 1);
}
