import { hasHeadNorms, LINEAR_MODULES, type LinearModule, linearShape, type ModelConfig } from './model-config.js';

/** Where a tensor begins in its block, in floats, and what it looks like. Linear layers are [input, output]. */
export interface Place {
  offset: number;
  shape: readonly [number] | readonly [number, number];
}

export interface LayerPlaces {
  inputNorm: Place;
  attentionNorm: Place;
  /** Of each head of queries and keys, where the family has them. */
  headNorms: { query: Place; key: Place } | null;
  linear: Record<LinearModule, Place>;
  bias: Partial<Record<LinearModule, Place>>;
}

/** The block of a base model's trainable weights. */
export interface WeightsLayout {
  embedding: Place;
  layers: LayerPlaces[];
  finalNorm: Place;
  /** Output head [hidden, vocabulary] of a model whose head is not tied; a tied one has a transposed copy after the block. */
  head: Place;
  /** Floats that training changes; a multiple of 4. */
  trainable: number;
  /** Floats in all. */
  size: number;
}

const padded = (count: number) => Math.ceil(count / 16) * 16;

export function layoutWeights(config: ModelConfig): WeightsLayout {
  let size = 0;
  const put = <S extends Place['shape']>(...shape: S): Place => {
    const offset = size;
    size += padded(shape.reduce<number>((product, n) => product * n, 1));
    return { offset, shape };
  };
  const { hiddenSize, vocabularySize } = config;
  const embedding = put(vocabularySize, hiddenSize);
  const layers = Array.from({ length: config.layers }, () => ({
    inputNorm: put(hiddenSize),
    attentionNorm: put(hiddenSize),
    headNorms: hasHeadNorms(config) ? { query: put(config.headSize), key: put(config.headSize) } : null,
    linear: Object.fromEntries(
      LINEAR_MODULES.map((module) => {
        const { input, output } = linearShape(config, module);
        return [module, put(input, output)];
      }),
    ) as Record<LinearModule, Place>,
    bias: Object.fromEntries(config.biases.map((module) => [module, put(linearShape(config, module).output)])),
  }));
  const finalNorm = put(hiddenSize);
  const beforeHead = size;
  const head = put(hiddenSize, vocabularySize);
  return { embedding, layers, finalNorm, head, trainable: config.tiedHead ? beforeHead : size, size };
}

/** LoRA of one linear layer: `x A B`, with A [input, rank] and B [rank, output]. */
export interface LoraPlace {
  a: Place;
  b: Place;
}

export interface AdapterLayout {
  rank: number;
  layers: Record<LinearModule, LoraPlace>[];
  /** Floats in all; a multiple of 4. */
  size: number;
}

export function layoutAdapter(config: ModelConfig, rank: number): AdapterLayout {
  let size = 0;
  const put = (rows: number, columns: number): Place => {
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
