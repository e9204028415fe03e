import { Arena } from '../tensor/arena.js';
import type { SequenceTree } from '../training/sequence-tree.js';
import { Compute, type AdapterView } from './compute.js';
import { Decoder } from './decoder.js';
import type { ModelConfig } from './model-config.js';
import { ModelMemory, type WeightReader } from './model-memory.js';
import { noise, TINY_CONFIG, TINY_FAMILIES, tinyModel } from './tiny-model.fixture.js';
import { layoutAdapter, layoutWeights, precisionFor } from './weights.layout.js';

const RANK = 3;

/** A tiny model's weights, as a file of bfloat16 has them. */
function bfloat16Files(change: Partial<ModelConfig>): { config: ModelConfig; reader: Required<WeightReader> } {
  const { model, config } = tinyModel(change, RANK);
  const tensors = new Map([...model.exportTensors()].map(({ name, data }) => [name, Float32Array.from(data)]));
  for (const values of tensors.values()) {
    const bits = new Uint32Array(values.buffer);
    bits.forEach((value, i) => (bits[i] = value & 0xffff_0000));
  }
  const reader = {
    read: (name: string) => tensors.get(name)!,
    readBits: (name: string, from: number, into: Uint16Array) => {
      const bits = new Uint32Array(tensors.get(name)!.buffer);
      into.forEach((_, i) => (into[i] = bits[from + i]! >>> 16));
    },
  };
  return { config, reader };
}

/** What a model says of sequences of many lengths, and the gradient of an adapter. */
function compute(model: ModelMemory) {
  const { tensors, config, view } = model;
  const { size } = layoutAdapter(config, RANK);
  const adapter: AdapterView = { address: tensors.allocate(size * 4), rank: RANK, scale: 2 };
  const next = noise(3);
  tensors.floats(adapter.address, size).forEach((_, i, values) => (values[i] = next() * 0.2));
  const sink = { adapter: tensors.allocate(size * 4), base: 0 };
  const arena = new Arena(tensors.allocate(4_000_000), 4_000_000);
  const decoder = new Decoder(new Compute(view, tensors.allocate(Compute.SCRATCH)), arena);
  return [2, 3, 5, 9, 40].map((length) => {
    const tokens = Int32Array.from({ length }, () => Math.floor(((next() + 1) / 2) * TINY_CONFIG.vocabularySize));
    const targets = Int32Array.from({ length: length - 1 }, (_, i) => i + 1);
    const tree: SequenceTree = { prefix: new Int32Array(), branches: [{ tokens, targets }] };
    const pass = decoder.forward([tree], adapter);
    pass.backward(pass.scores.logprobs.map(Math.cos), sink);
    return { scores: pass.scores, gradient: tensors.floats(sink.adapter, size).slice() };
  });
}

describe('weights of 16 bits', () => {
  it.each(TINY_FAMILIES)('say the same as those of 32 bits, to the bit: %s', async (_, change) => {
    const { config, reader } = bfloat16Files(change);
    const half = await ModelMemory.load(config, reader, 'bfloat16');
    const full = await ModelMemory.load(config, reader);
    expect(compute(half)).toEqual(compute(full));
  });

  it('take half the memory, and less where the head is the embedding', () => {
    const config = { ...TINY_CONFIG, vocabularySize: 4096 };
    const sizes = (tiedHead: boolean) =>
      (['float32', 'bfloat16'] as const).map((precision) => layoutWeights({ ...config, tiedHead }, precision).size);
    const [untied, untiedHalf] = sizes(false) as [number, number];
    const [tied, tiedHalf] = sizes(true) as [number, number];
    expect(untiedHalf / untied).toBeCloseTo(0.5, 1);
    expect(tiedHalf / tied).toBeCloseTo(0.26, 1);
  });

  it('are not written, since they never change', async () => {
    const { config, reader } = bfloat16Files({});
    const half = await ModelMemory.load(config, reader, 'bfloat16');
    expect(() => [...half.exportTensors()]).toThrow('float32');
  });

  it('are for files of bfloat16 and sizes that the kernels take', () => {
    expect(precisionFor(TINY_CONFIG, true)).toBe('bfloat16');
    expect(precisionFor(TINY_CONFIG, false)).toBe('float32');
    expect(precisionFor({ ...TINY_CONFIG, feedForwardSize: 44 }, true)).toBe('float32');
  });
});
