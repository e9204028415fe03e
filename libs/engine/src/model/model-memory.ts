import { decodeBfloat16 } from '../files/half-float.js';
import type { Address } from '../tensor/kernels.js';
import { TensorMemory } from '../tensor/tensor-memory.js';
import { transpose, writePanels } from '../tensor/transpose.js';
import type { ModelConfig } from './model-config.js';
import { layoutWeights, PANEL_COLUMNS, panelElements, type TensorPlace, type Precision } from './weights.layout.js';

/** What a thread needs to know to compute with a model that lies in shared memory; plain data, sent once. */
export interface SharedModel {
  memory: WebAssembly.Memory;
  config: ModelConfig;
  precision: Precision;
  weights: Address;
  /** RoPE's tables of the whole context; they hold what {@link Compute.reach} was called for. */
  cos: Address;
  sin: Address;
}

/** Reads a base model's tensors by their Hugging Face names, [output, input] as they lie in the files. */
export interface WeightReader {
  read(name: string): Promise<Float32Array> | Float32Array;
  /** Fills `into` from a tensor of bfloat16, beginning with its element `from`. */
  readBits?(name: string, from: number, into: Uint16Array): void;
}

/** Elements of a 16-bit tensor that are in memory beside their panels. */
const CHUNK = 2 ** 18;

interface Parameter {
  name: string;
  address: Address;
  shape: readonly number[] & { 0: number };
  half: boolean;
}

/** A base model in shared memory. */
export class ModelMemory {
  readonly view: SharedModel;

  private constructor(
    readonly config: ModelConfig,
    readonly tensors: TensorMemory,
    precision: Precision,
  ) {
    const tableBytes = config.contextLength * (config.headSize / 2) * 4;
    this.view = {
      memory: this.tensors.memory,
      config,
      precision,
      // A memory is zero where nobody wrote yet.
      weights: tensors.reserve(ModelMemory.bytes(config, precision)),
      cos: tensors.reserve(tableBytes),
      sin: tensors.reserve(tableBytes),
    };
  }

  /** Bytes of memory that the weights take. */
  static bytes(config: ModelConfig, precision: Precision): number {
    return layoutWeights(config, precision).size * 4;
  }

  /** Bytes of memory that the weights and all else take that is always there. */
  static totalBytes(config: ModelConfig, precision: Precision): number {
    const tables = config.contextLength * config.headSize * 4;
    // With some for what is rounded up.
    return ModelMemory.bytes(config, precision) + tables + 2 ** 18;
  }

  /** A model whose weights are all zero. */
  static empty(
    config: ModelConfig,
    precision: Precision = 'float32',
    /** Where nothing was allocated before. */
    tensors = new TensorMemory(),
  ): ModelMemory {
    return new ModelMemory(config, tensors, precision);
  }

  /** @param precision 'bfloat16' where the reader has bits of all matrices; such a model can't learn as a whole. */
  static async load(config: ModelConfig, reader: WeightReader, precision?: Precision): Promise<ModelMemory> {
    const model = ModelMemory.empty(config, precision);
    await model.fill(reader);
    return model;
  }

  async fill(reader: WeightReader): Promise<void> {
    for (const { name, address, shape, half } of this.parameters()) {
      if (half) {
        this.fillPanels(name, address, shape as readonly [number, number], reader);
        continue;
      }
      const values = await reader.read(name);
      if (shape.length === 2 && name !== EMBEDDING) transpose(values, shape[0], this.floats(address, values.length));
      else this.floats(address, values.length).set(values);
    }
    this.copyTiedHead();
  }

  /** The trainable tensors by their Hugging Face names; a matrix's shape is as it lies here, [input, output]. */
  *parameters(): Iterable<Parameter> {
    const layout = layoutWeights(this.config, this.view.precision);
    const at = (name: string, { offset, shape, half = false }: TensorPlace): Parameter => ({
      name,
      address: this.view.weights + offset * 4,
      shape,
      half,
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
    for (const { name, address, shape, half } of this.parameters()) {
      if (half) throw new TypeError('only a model of float32 is written');
      const count = shape.reduce((product, n) => product * n, 1);
      const values = this.floats(address, count);
      if (shape.length === 1 || name === EMBEDDING) yield { name, shape: [...shape], data: values.slice() };
      else yield { name, shape: [...shape].reverse(), data: transpose(values, shape[1]!, new Float32Array(count)) };
    }
  }

  /** A tied head is read as [hidden, vocabulary]: the embedding, transposed. */
  copyTiedHead(): void {
    if (!this.config.tiedHead || this.view.precision === 'bfloat16') return;
    const { hiddenSize, vocabularySize } = this.config;
    const layout = layoutWeights(this.config);
    const count = hiddenSize * vocabularySize;
    const embedding = this.floats(this.view.weights + layout.embedding.offset * 4, count);
    transpose(embedding, hiddenSize, this.floats(this.view.weights + layout.head.offset * 4, count));
  }

  /** A tensor's values, in the order in which they lie; panels are filled up with zeros. */
  values({ offset, shape, half }: TensorPlace): Float32Array {
    const address = this.view.weights + offset * 4;
    const [input, output = 1] = shape;
    if (!half) return this.floats(address, input * output);
    const values = new Float32Array(panelElements(input, output));
    decodeBfloat16(new Uint16Array(this.tensors.memory.buffer, address, values.length), values);
    return values;
  }

  /** Some panels at a time. */
  private fillPanels(name: string, address: Address, [input, output]: readonly [number, number], reader: WeightReader) {
    if (!reader.readBits) throw new TypeError(`no bits of ${name}`);
    const panels = new Uint16Array(this.tensors.memory.buffer, address, panelElements(input, output));
    const step = Math.ceil(CHUNK / input / PANEL_COLUMNS) * PANEL_COLUMNS;
    const chunk = new Uint16Array(Math.min(step, output) * input);
    for (let row = 0; row < output; row += step) {
      const bits = chunk.subarray(0, Math.min(step, output - row) * input);
      reader.readBits(name, row * input, bits);
      writePanels(bits, input, panels.subarray(row * input));
    }
  }

  private floats(address: Address, count: number): Float32Array {
    return this.tensors.floats(address, count);
  }
}

const EMBEDDING = 'model.embed_tokens.weight';
