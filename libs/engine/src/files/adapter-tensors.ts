import { LINEAR_MODULES, linearShape, type LinearModule, type ModelConfig } from '../model/model-config.js';

/** Which of the two: the update of a linear layer is alpha / rank * B * A. */
export type AdapterMatrix = 'A' | 'B';

export interface AdapterTensor {
  layer: number;
  module: LinearModule;
  matrix: AdapterMatrix;
}

export interface AdapterWeights {
  rank: number;
  /**
   * `<layer>.<module>.A`, of shape [rank, input], and `.B`, of shape [output, rank], row-major. What the adapter leaves
   * alone is absent; both matrices of a module are there, or neither.
   */
  tensors: Map<string, Float32Array>;
}

/** Key of a tensor in an adapter's map, e.g. `0.self_attn.q_proj.A`. */
export const adapterKey = ({ layer, module, matrix }: AdapterTensor): string => `${layer}.${module}.${matrix}`;

/** Row-major, as in PEFT: A is [rank, input], B is [output, rank]. */
export function adapterTensorShape(config: ModelConfig, rank: number, { module, matrix }: AdapterTensor): number[] {
  const { input, output } = linearShape(config, module);
  return matrix === 'A' ? [rank, input] : [output, rank];
}

/** Name in adapter_model.safetensors. */
export const peftName = ({ layer, module, matrix }: AdapterTensor): string =>
  `base_model.model.model.layers.${layer}.${module}.lora_${matrix}.weight`;

/** PEFT leaves the adapter's name out of files, others keep it. */
const PEFT_NAME =
  /^base_model\.model\.model\.layers\.(\d{1,6})\.([a-z_]+\.[a-z_]+)\.lora_([AB])(?:\.default)?\.weight$/;

/** Null for a tensor that is no linear layer's. */
export function parsePeftName(name: string): AdapterTensor | null {
  const [, layer, module, matrix] = PEFT_NAME.exec(name) ?? [];
  if (!isLinearModule(module)) return null;
  return { layer: Number(layer), module, matrix: matrix as AdapterMatrix };
}

/** All tensors that an adapter of this model may have, in their order. */
export function* adapterTensors(config: ModelConfig): Generator<AdapterTensor> {
  for (let layer = 0; layer < config.layers; layer++) {
    for (const module of LINEAR_MODULES) {
      yield { layer, module, matrix: 'A' };
      yield { layer, module, matrix: 'B' };
    }
  }
}

const isLinearModule = (module: string | undefined): module is LinearModule =>
  (LINEAR_MODULES as readonly (string | undefined)[]).includes(module);
