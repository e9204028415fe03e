import type { AdapterView } from './compute.js';
import { LINEAR_MODULES, type ModelConfig } from './model-config.js';
import { ModelMemory } from './model-memory.js';
import { layoutAdapter } from './weights.layout.js';

// A model small enough for tests to compute everything several times.

export const TINY_CONFIG: ModelConfig = {
  family: 'llama',
  vocabularySize: 37,
  hiddenSize: 32,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 8,
  feedForwardSize: 48,
  contextLength: 128,
  normEpsilon: 1e-5,
  ropeTheta: 10_000,
  ropeScaling: null,
  biases: [],
  tiedHead: true,
  endTokenIds: [1],
};

/** What makes the tiny model one of each family. */
export const TINY_FAMILIES: [family: string, change: Partial<ModelConfig>][] = [
  ['Llama', {}],
  ['Qwen2', { family: 'qwen2', biases: LINEAR_MODULES.slice(0, 3) }],
  ['Qwen3', { family: 'qwen3', headSize: 16, tiedHead: false }],
];

/** A repeatable stream of numbers in [-1, 1). */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}

/** The model with random weights, and an adapter that changes what it says. */
export function tinyModel(change: Partial<ModelConfig>, rank: number) {
  const config = { ...TINY_CONFIG, ...change };
  const model = ModelMemory.empty(config);
  const next = noise(1);
  for (const { name, address, shape } of model.parameters()) {
    const values = model.tensors.floats(
      address,
      shape.reduce((product, n) => product * n, 1),
    );
    values.forEach((_, i) => (values[i] = name.endsWith('norm.weight') ? 1 + next() * 0.2 : next() * 0.3));
  }
  model.copyTiedHead();
  const adapterSize = layoutAdapter(config, rank).size;
  const adapter: AdapterView = { address: model.tensors.allocate(adapterSize * 4), rank, scale: 2 };
  const lora = model.tensors.floats(adapter.address, adapterSize);
  lora.forEach((_, i) => (lora[i] = next() * 0.2));
  return { config, model, adapter, adapterSize };
}
