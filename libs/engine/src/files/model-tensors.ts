import { hasHeadNorms, LINEAR_MODULES, linearShape, type ModelConfig } from '../model/model-config.js';

export interface TensorShape {
  /** As in Hugging Face's state dict. */
  name: string;
  shape: readonly number[];
}

/** Every tensor of a model; linear layers are [output, input], as in PyTorch. */
export function* modelTensors(config: ModelConfig): Generator<TensorShape> {
  const { vocabularySize, hiddenSize } = config;
  yield { name: 'model.embed_tokens.weight', shape: [vocabularySize, hiddenSize] };
  for (let layer = 0; layer < config.layers; layer++) {
    const prefix = `model.layers.${layer}`;
    yield { name: `${prefix}.input_layernorm.weight`, shape: [hiddenSize] };
    for (const module of LINEAR_MODULES) {
      const { input, output } = linearShape(config, module);
      yield { name: `${prefix}.${module}.weight`, shape: [output, input] };
      if (config.biases.includes(module)) yield { name: `${prefix}.${module}.bias`, shape: [output] };
    }
    if (hasHeadNorms(config)) {
      yield { name: `${prefix}.self_attn.q_norm.weight`, shape: [config.headSize] };
      yield { name: `${prefix}.self_attn.k_norm.weight`, shape: [config.headSize] };
    }
    yield { name: `${prefix}.post_attention_layernorm.weight`, shape: [hiddenSize] };
  }
  yield { name: 'model.norm.weight', shape: [hiddenSize] };
  if (!config.tiedHead) yield { name: 'lm_head.weight', shape: [vocabularySize, hiddenSize] };
}

/** What a file may hold beyond that without meaning anything: the copy of a tied head, and what old versions saved. */
export function isIgnoredTensor(config: ModelConfig, name: string): boolean {
  if (name === 'lm_head.weight') return config.tiedHead;
  return /^model\.layers\.\d+\.self_attn\.rotary_emb\.inv_freq$/.test(name);
}

export const elementsOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i]);

/** Index of the first value that is no number a network can use, or -1. */
export function firstNonFinite(values: Float32Array): number {
  // A finite number less itself is 0; NaN and the infinities give NaN.
  for (let i = 0; i < values.length; i++) if (values[i]! - values[i]! !== 0) return i;
  return -1;
}

/** The same of bfloat16: all bits of the exponent are set. */
export function firstNonFiniteHalf(bits: Uint16Array): number {
  for (let i = 0; i < bits.length; i++) if ((bits[i]! & 0x7f80) === 0x7f80) return i;
  return -1;
}
