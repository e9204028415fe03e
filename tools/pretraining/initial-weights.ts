import { splitmix32 } from '../../libs/engine/src/embedded/splitmix32.js';
import type { ModelMemory } from '../../libs/engine/src/model/model-memory.js';

/**
 * Normal weights: 0.02 for embeddings, 1/sqrt(input) for linear layers, those that write to the residual stream less by
 * sqrt(2 layers), as GPT-2 does; norms begin as 1, biases as 0.
 */
export function initialWeights(model: ModelMemory, seed: number): void {
  const random = splitmix32(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  for (const { name, address, shape } of model.parameters()) {
    const values = model.tensors.floats(
      address,
      shape.reduce((product, n) => product * n, 1),
    );
    if (shape.length === 1) {
      values.fill(name.endsWith('.bias') ? 0 : 1);
      continue;
    }
    const intoResidual = /(o_proj|down_proj)\.weight$/.test(name);
    const linear = (1 / Math.sqrt(shape[0])) * (intoResidual ? 1 / Math.sqrt(2 * model.config.layers) : 1);
    const deviation = name.includes('embed_tokens') ? 0.02 : linear;
    for (let i = 0; i < values.length; i++) values[i] = normal() * deviation;
  }
  model.copyTiedHead();
}
