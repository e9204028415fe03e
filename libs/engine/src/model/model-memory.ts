import type { Address } from '../tensor/kernels.js';
import { TensorMemory } from '../tensor/tensor-memory.js';
import { transpose } from '../tensor/transpose.js';
import type { ModelConfig } from './model-config.js';
import { ropeTables } from './rope-tables.js';
import { layoutWeights } from './weights.layout.js';

/** What a thread needs to know to compute with a model that lies in shared memory; plain data, sent once. */
export interface ModelView {
  memory: WebAssembly.Memory;
  config: ModelConfig;
  weights: Address;
  cos: Address;
  sin: Address;
}

/** Reads a base model's tensors by their Hugging Face names, [output, input] as they lie in the files. */
export interface WeightReader {
  read(name: string): Promise<Float32Array> | Float32Array;
}

/** A base model in shared memory. */
export class ModelMemory {
  readonly tensors: TensorMemory;
  readonly view: ModelView;

  private constructor(
    readonly config: ModelConfig,
    limitBytes?: number,
  ) {
    this.tensors = new TensorMemory(limitBytes);
    const tables = ropeTables(config);
    const place = (values: Float32Array) => {
      const address = this.tensors.allocate(values.byteLength);
      this.tensors.floats(address, values.length).set(values);
      return address;
    };
    this.view = {
      memory: this.tensors.memory,
      config,
      weights: this.tensors.allocate(layoutWeights(config).size * 4),
      cos: place(tables.cos),
      sin: place(tables.sin),
    };
  }

  /** A model whose weights are all zero. */
  static empty(config: ModelConfig, limitBytes?: number): ModelMemory {
    return new ModelMemory(config, limitBytes);
  }

  static async load(config: ModelConfig, reader: WeightReader, limitBytes?: number): Promise<ModelMemory> {
    const model = new ModelMemory(config, limitBytes);
    for (const { name, address, shape } of model.parameters()) {
      const values = await reader.read(name);
      if (shape.length === 2 && name !== EMBEDDING) transpose(values, shape[0], model.floats(address, values.length));
      else model.floats(address, values.length).set(values);
    }
    model.copyTiedHead();
    return model;
  }

  /** The trainable tensors by their Hugging Face names; a matrix's shape is as it lies here, [input, output]. */
  *parameters(): Iterable<{ name: string; address: Address; shape: readonly number[] & { 0: number } }> {
    const layout = layoutWeights(this.config);
    const at = (name: string, place: { offset: number; shape: readonly number[] }) => ({
      name,
      address: this.view.weights + place.offset * 4,
      shape: place.shape as readonly number[] & { 0: number },
    });
    yield at(EMBEDDING, layout.embedding);
    for (const [index, layer] of layout.layers.entries()) {
      const prefix = `model.layers.${index}.`;
      yield at(`${prefix}input_layernorm.weight`, layer.inputNorm);
      yield at(`${prefix}post_attention_layernorm.weight`, layer.attentionNorm);
      if (layer.headNorms) {
        yield at(`${prefix}self_attn.q_norm.weight`, layer.headNorms.query);
        yield at(`${prefix}self_attn.k_norm.weight`, layer.headNorms.key);
      }
      for (const [module, place] of Object.entries(layer.linear)) yield at(`${prefix}${module}.weight`, place);
      for (const [module, place] of Object.entries(layer.bias)) yield at(`${prefix}${module}.bias`, place);
    }
    yield at('model.norm.weight', layout.finalNorm);
    if (!this.config.tiedHead) yield at('lm_head.weight', layout.head);
  }

  /** The trainable tensors as the files have them. */
  *exportTensors(): Iterable<{ name: string; shape: number[]; data: Float32Array }> {
    for (const { name, address, shape } of this.parameters()) {
      const count = shape.reduce((product, n) => product * n, 1);
      const values = this.floats(address, count);
      if (shape.length === 1 || name === EMBEDDING) yield { name, shape: [...shape], data: values.slice() };
      else yield { name, shape: [...shape].reverse(), data: transpose(values, shape[1]!, new Float32Array(count)) };
    }
  }

  /** A tied head is read as [hidden, vocabulary]: the embedding, transposed. */
  copyTiedHead(): void {
    if (!this.config.tiedHead) return;
    const { hiddenSize, vocabularySize } = this.config;
    const layout = layoutWeights(this.config);
    const count = hiddenSize * vocabularySize;
    const embedding = this.floats(this.view.weights + layout.embedding.offset * 4, count);
    transpose(embedding, hiddenSize, this.floats(this.view.weights + layout.head.offset * 4, count));
  }

  private floats(address: Address, count: number): Float32Array {
    return this.tensors.floats(address, count);
  }
}

const EMBEDDING = 'model.embed_tokens.weight';
