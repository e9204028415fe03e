import fc from 'fast-check';
import { Arena } from '../tensor/arena.js';
import type { Branch, SequenceTree } from '../training/sequence-tree.js';
import { Compute } from './compute.js';
import { Decoder } from './decoder.js';
import { LINEAR_MODULES, type ModelConfig } from './model-config.js';
import { noise, TINY_CONFIG, TINY_FAMILIES, tinyModel } from './tiny-model.fixture.js';
import { layoutWeights } from './weights.layout.js';

const RANK = 3;

function setUp(change: Partial<ModelConfig> = {}) {
  const tiny = tinyModel(change, RANK);
  const arenaBytes = 4_000_000;
  const arena = new Arena(tiny.model.tensors.allocate(arenaBytes), arenaBytes);
  const compute = new Compute(tiny.model.view, tiny.model.tensors.allocate(Compute.SCRATCH));
  return { ...tiny, compute, decoder: new Decoder(compute, arena) };
}

const sequence = (length: number, seed: number): Int32Array => {
  const next = noise(seed);
  return Int32Array.from({ length }, () => Math.floor(((next() + 1) / 2) * TINY_CONFIG.vocabularySize));
};
const branch = (tokens: Int32Array, first: number): Branch => ({
  tokens,
  targets: Int32Array.from({ length: tokens.length - first }, (_, i) => first + i),
});
const whole = (length: number, seed: number): SequenceTree => ({
  prefix: new Int32Array(),
  branches: [branch(sequence(length, seed), 1)],
});
const shared = (): SequenceTree => ({
  prefix: sequence(9, 5),
  branches: [branch(sequence(4, 6), 0), branch(sequence(37, 7), 0), branch(sequence(1, 8), 0)],
});
/** The same sequences, each for itself. */
const unshared = ({ prefix, branches }: SequenceTree): SequenceTree[] =>
  branches.map(({ tokens, targets }) => ({
    prefix: new Int32Array(),
    branches: [
      { tokens: Int32Array.from([...prefix, ...tokens]), targets: targets.map((target) => target + prefix.length) },
    ],
  }));

describe('the decoder', () => {
  it.each([
    ['a tied head', {}],
    ['an untied head', { tiedHead: false }],
    ['a key head for each query head', { keyValueHeads: 4 }],
    ['one key head', { keyValueHeads: 1 }],
    ['biases everywhere', { biases: LINEAR_MODULES }],
    ...TINY_FAMILIES.slice(1),
  ] as [string, Partial<ModelConfig>][])('has the gradients that finite differences have, with %s', (_, change) => {
    const { model, adapter, adapterSize, config, decoder } = setUp(change);
    const trees = [whole(11, 2), shared()];
    const { trainable } = layoutWeights(config);
    const sink = { adapter: model.tensors.allocate(adapterSize * 4), base: model.tensors.allocate(trainable * 4) };
    const pass = decoder.forward(trees, adapter);
    const weighting = Float32Array.from(pass.scores.logprobs, (_value, i) => Math.cos(i));
    const loss = () => {
      model.copyTiedHead();
      return decoder.forward(trees, adapter).scores.logprobs.reduce((sum, value, i) => sum + value * weighting[i]!, 0);
    };
    pass.backward(weighting, sink);
    for (const [address, gradientAddress, size] of [
      [adapter.address, sink.adapter, adapterSize],
      [model.view.weights, sink.base, trainable],
    ] as const) {
      const gradient = model.tensors.floats(gradientAddress, size).slice();
      const weights = model.tensors.floats(address, size);
      // The directional derivative along a random direction sees every weight at once.
      for (const seed of [11, 12, 13]) {
        const next = noise(seed);
        const before = weights.slice();
        const direction = Float32Array.from(before, (value) => (value === 0 ? 0 : next()));
        const length = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
        const step = 0.02 / length;
        const expected = direction.reduce((sum, value, i) => sum + value * gradient[i]!, 0);
        weights.forEach((_value, i) => (weights[i] = before[i]! + direction[i]! * step));
        const above = loss();
        weights.forEach((_value, i) => (weights[i] = before[i]! - direction[i]! * step));
        const below = loss();
        weights.set(before);
        const scale = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0)) * length;
        expect(Math.abs((above - below) / (2 * step) - expected) / scale).toBeLessThan(2e-4);
      }
    }
  });

  it.each(TINY_FAMILIES)('gives the same bits where only the inputs of layers fit into its arena: %s', (_, change) => {
    const { model, adapter, adapterSize, config, compute } = setUp({ layers: 12, ...change });
    const trees = [whole(70, 2), shared()];
    const bytes = Decoder.bytes(config, trees, RANK);
    expect(bytes.inputs).toBeLessThan(bytes.all / 2);
    const run = (arenaBytes: number) => {
      const address = model.tensors.allocate(arenaBytes);
      const { trainable } = layoutWeights(config);
      const sink = { adapter: model.tensors.allocate(adapterSize * 4), base: model.tensors.allocate(trainable * 4) };
      const pass = new Decoder(compute, new Arena(address, arenaBytes)).forward(trees, adapter);
      pass.backward(
        pass.scores.logprobs.map((_value, i) => Math.sin(i)),
        sink,
      );
      const gradients = [model.tensors.floats(sink.adapter, adapterSize), model.tensors.floats(sink.base, trainable)];
      return [pass.scores.logprobs, pass.scores.entropies, ...gradients.map((values) => values.slice())];
    };
    const plain = run(bytes.all);
    expect(plain.every((values) => values.some((value) => value !== 0))).toBe(true);
    expect(run(bytes.inputs)).toEqual(plain);
    expect(() => run(bytes.inputs - 64)).toThrow('larger than its memory');
  });

  it.each(TINY_FAMILIES)(
    'gives shared and separate prefixes the same scores to the bit, and nearly the same gradients: %s',
    (_, change) => {
      const { model, adapter, adapterSize, decoder } = setUp(change);
      const tree = shared();
      const run = (trees: SequenceTree[]) => {
        const sink = { adapter: model.tensors.allocate(adapterSize * 4), base: 0 };
        const pass = decoder.forward(trees, adapter);
        pass.backward(
          pass.scores.logprobs.map((_, i) => Math.sin(i)),
          sink,
        );
        return { ...pass.scores, gradient: model.tensors.floats(sink.adapter, adapterSize).slice() };
      };
      const together = run([tree]);
      const apart = run(unshared(tree));
      expect(together.logprobs).toEqual(apart.logprobs);
      expect(together.entropies).toEqual(apart.entropies);
      const distance = together.gradient.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - apart.gradient[i]!)),
        0,
      );
      expect(distance).toBeLessThan(1e-4);
    },
  );

  it('learns from equal sequences as often as they come, though they are computed once', () => {
    const { model, adapter, adapterSize, decoder } = setUp();
    const [prefix, answer, other] = [sequence(9, 5), sequence(6, 6), sequence(6, 7)];
    const run = (answers: [tokens: Int32Array, weight: number][]) => {
      const trees = [{ prefix, branches: answers.map(([tokens]) => branch(tokens, 0)) }];
      const sink = { adapter: model.tensors.allocate(adapterSize * 4), base: 0 };
      const pass = decoder.forward(trees, adapter);
      pass.backward(Float32Array.from(answers.flatMap(([tokens, weight]) => [...tokens].map(() => weight))), sink);
      return { logprobs: pass.scores.logprobs, gradient: model.tensors.floats(sink.adapter, adapterSize).slice() };
    };
    const each = run([
      [answer, 1],
      [other, -1],
      [answer, 1],
      [answer, 1],
    ]);
    const weighted = run([
      [answer, 3],
      [other, -1],
    ]);
    expect(each.logprobs.slice(0, 12)).toEqual(weighted.logprobs);
    expect(each.logprobs.slice(12, 18)).toEqual(each.logprobs.slice(0, 6));
    each.gradient.forEach((value, i) => expect(value).toBeCloseTo(weighted.gradient[i]!, 4));
    expect(Math.hypot(...each.gradient)).toBeGreaterThan(0.1);
  });

  it('scores a sequence alike to the bit, whatever is in the batch beside it', () => {
    const { adapter, decoder } = setUp();
    const alone = decoder.forward([whole(70, 3)], adapter).scores.logprobs;
    const beside = [1, 4, 16].map((others) => {
      const batch = [...Array.from({ length: others }, (_, i) => whole(5 + i, 20 + i)), whole(70, 3)];
      return decoder.forward(batch, adapter).scores.logprobs.slice(-69);
    });
    for (const scores of beside) expect(scores).toEqual(alone);
  });

  it('scores whatever trees as it scores each of their sequences alone, to the bit', () => {
    const { adapter, decoder } = setUp();
    // So few tokens that branches begin alike, and are alike.
    const tokens = (minLength: number, maxLength: number) =>
      fc.array(fc.integer({ min: 0, max: 1 }), { minLength, maxLength }).map((ids) => Int32Array.from(ids));
    const anyBranch = fc.tuple(tokens(1, 4), fc.infiniteStream(fc.boolean())).map(([ids, chosen]) => ({
      tokens: ids,
      targets: Int32Array.from(ids.keys()).filter(() => chosen.next().value),
    }));
    const anyTree = fc.record({ prefix: tokens(1, 5), branches: fc.array(anyBranch, { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(anyTree, { minLength: 1, maxLength: 3 }), (trees) => {
        const { logprobs, entropies } = decoder.forward(trees, adapter).scores;
        const alone = trees.flatMap(unshared).map((tree) => decoder.forward([tree], adapter).scores);
        expect([...logprobs]).toEqual(alone.flatMap((scores) => [...scores.logprobs]));
        expect([...entropies]).toEqual(alone.flatMap((scores) => [...scores.entropies]));
      }),
    );
  });

  it('scores add up to a distribution: the probabilities of all tokens at a place are one', () => {
    const { config, decoder } = setUp();
    const prefix = sequence(6, 9);
    const branches = Array.from({ length: config.vocabularySize }, (_, token) => branch(Int32Array.of(token), 0));
    const { logprobs, entropies } = decoder.forward([{ prefix, branches }], null).scores;
    expect(logprobs.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 5);
    const entropy = -logprobs.reduce((sum, value) => sum + Math.exp(value) * value, 0);
    expect(entropies[0]).toBeCloseTo(entropy, 5);
  });
});
