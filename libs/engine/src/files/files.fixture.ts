import type { ModelConfig } from '../model/model-config.js';
import { adapterKey, adapterTensors, adapterTensorShape } from './adapter-tensors.js';
import { elementsOf, modelTensors } from './model-tensors.js';

/** A shape in which no two sizes are equal, so that none can be taken for another. */
export const tinyConfig: ModelConfig = {
  family: 'llama',
  vocabularySize: 52,
  hiddenSize: 32,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 16,
  feedForwardSize: 48,
  contextLength: 20,
  normEpsilon: 1e-6,
  ropeTheta: 10_000,
  ropeScaling: null,
  biases: [],
  tiedHead: false,
  endTokenIds: [3],
};

/** Numbers that binary16 holds exactly, different from tensor to tensor. */
export const values = (shape: readonly number[], seed: number): Float32Array =>
  Float32Array.from({ length: elementsOf(shape) }, (_, i) => ((i * 7 + seed * 13) % 251) / 128 - 1);

export const tinyModel = (config: ModelConfig): Map<string, Float32Array> =>
  new Map([...modelTensors(config)].map(({ name, shape }, seed) => [name, values(shape, seed)]));

/** An adapter of the layers and modules whose key matches. */
export const tinyAdapter = (rank: number, keys = /./): Map<string, Float32Array> =>
  new Map(
    [...adapterTensors(tinyConfig)]
      .filter((tensor) => keys.test(adapterKey(tensor)))
      .map((tensor, seed) => [adapterKey(tensor), values(adapterTensorShape(tinyConfig, rank, tensor), seed)]),
  );
