import { hasHeadNorms, LINEAR_MODULES, type LinearModule, linearShape, type ModelConfig } from './model-config.js';

/**
 * How the matrices of a base model lie in memory: as rows of floats, which can learn, or in panels of 16-bit floats
 * (kernels/half-panels.ts), which take half the memory and say the same.
 */
export type Precision = 'float32' | 'bfloat16';

/** Where a tensor begins in its block, in floats, and what it looks like. Linear layers are [input, output]. */
export interface TensorPlace {
  offset: number;
  shape: readonly [number] | readonly [number, number];
  /** In panels of bfloat16. */
  half?: boolean;
}

export interface LayerPlaces {
  inputNorm: TensorPlace;
  attentionNorm: TensorPlace;
  /** Of each head of queries and keys, where the family has them. */
  headNorms: { query: TensorPlace; key: TensorPlace } | null;
  linear: Record<LinearModule, TensorPlace>;
  bias: Partial<Record<LinearModule, TensorPlace>>;
}

/** The block of a base model's trainable weights. */
export interface WeightsLayout {
  /** [vocabulary, hidden], or as a head where it is in panels. */
  embedding: TensorPlace;
  layers: LayerPlaces[];
  finalNorm: TensorPlace;
  /**
   * Output head [hidden, vocabulary]. A tied one is the embedding where that is in panels, else a transposed copy of it
   * after the block.
   */
  head: TensorPlace;
  /** Floats that training of the whole model changes; a multiple of 4, and 0 where it can't. */
  trainable: number;
  /** Floats in all. */
  size: number;
}

/** Columns of a matrix that lie side by side in a panel. */
export const PANEL_COLUMNS = 32;

/** 16-bit floats of a matrix in panels, whose last one is filled up. */
export const panelElements = (input: number, output: number): number =>
  Math.ceil(output / PANEL_COLUMNS) * PANEL_COLUMNS * input;

const padded = (count: number) => Math.ceil(count / 16) * 16;

/** Of the weights in files whose matrices are all bfloat16, or are not. */
export function precisionFor(config: ModelConfig, bfloat16: boolean): Precision {
  const inputs = LINEAR_MODULES.map((module) => linearShape(config, module).input);
  return bfloat16 && inputs.every((size) => size % 8 === 0) ? 'bfloat16' : 'float32';
}

export function layoutWeights(config: ModelConfig, precision: Precision = 'float32'): WeightsLayout {
  const half = precision === 'bfloat16';
  let size = 0;
  const put = <S extends TensorPlace['shape']>(...shape: S): TensorPlace => {
    const offset = size;
    size += padded(shape.reduce<number>((product, n) => product * n, 1));
    return { offset, shape };
  };
  const putMatrix = (input: number, output: number): TensorPlace => {
    if (!half) return put(input, output);
    const offset = size;
    size += padded(panelElements(input, output) / 2);
    return { offset, shape: [input, output], half };
  };
  const { hiddenSize, vocabularySize } = config;
  const embedding = half ? putMatrix(hiddenSize, vocabularySize) : put(vocabularySize, hiddenSize);
  const layers = Array.from({ length: config.layers }, () => ({
    inputNorm: put(hiddenSize),
    attentionNorm: put(hiddenSize),
    headNorms: hasHeadNorms(config) ? { query: put(config.headSize), key: put(config.headSize) } : null,
    linear: Object.fromEntries(
      LINEAR_MODULES.map((module) => {
        const { input, output } = linearShape(config, module);
        return [module, putMatrix(input, output)];
      }),
    ) as Record<LinearModule, TensorPlace>,
    bias: Object.fromEntries(config.biases.map((module) => [module, put(linearShape(config, module).output)])),
  }));
  const finalNorm = put(hiddenSize);
  const beforeHead = size;
  const head = half && config.tiedHead ? embedding : putMatrix(hiddenSize, vocabularySize);
  const trainable = config.tiedHead ? beforeHead : size;
  return { embedding, layers, finalNorm, head, trainable: half ? 0 : trainable, size };
}

/** LoRA of one linear layer: `x A B`, with A [input, rank] and B [rank, output]. */
export interface LoraPlace {
  a: TensorPlace;
  b: TensorPlace;
}

export interface AdapterLayout {
  rank: number;
  layers: Record<LinearModule, LoraPlace>[];
  /** Floats in all; a multiple of 4. */
  size: number;
}

export function layoutAdapter(config: ModelConfig, rank: number): AdapterLayout {
  let size = 0;
  const put = (rows: number, columns: number): TensorPlace => {
    const offset = size;
    size += padded(rows * columns);
    return { offset, shape: [rows, columns] };
  };
  const layers = Array.from(
    { length: config.layers },
    () =>
      Object.fromEntries(
        LINEAR_MODULES.map((module) => {
          const { input, output } = linearShape(config, module);
          return [module, { a: put(input, rank), b: put(rank, output) }];
        }),
      ) as Record<LinearModule, LoraPlace>,
  );
  return { rank, layers, size };
}
