import { attentionRoom, instantiateKernels } from './kernels.js';
import { TensorMemory } from './tensor-memory.js';

const SHAPES = [
  { t: 1, tk: 1, heads: 2, kv: 1, size: 8 },
  { t: 37, tk: 37, heads: 3, kv: 1, size: 16 },
  { t: 5, tk: 50, heads: 4, kv: 4, size: 8 },
  // More rows than a tile has, and more positions than a panel.
  { t: 75, tk: 401, heads: 2, kv: 1, size: 24 },
];

type Shape = (typeof SHAPES)[number];

function setUp({ t, tk, heads, kv, size }: Shape) {
  const memory = new TensorMemory();
  const kernels = instantiateKernels(memory.memory);
  const tensor = (count: number, seed: number) => {
    const address = memory.allocate(count * 4);
    memory.floats(address, count).forEach((_, i, values) => (values[i] = seed === 0 ? 0 : Math.sin(i * 1.7 + seed)));
    return address;
  };
  const queries = t * heads * size;
  const keys = tk * kv * size;
  const room = memory.allocate(attentionRoom(tk, size) * 4);
  // Whatever lies there must not matter.
  memory.floats(room, attentionRoom(tk, size)).fill(NaN);
  const [q, k, v] = [tensor(queries, 1), tensor(keys, 2), tensor(keys, 3)];
  const attend = () => {
    const o = tensor(queries, 0);
    kernels.attend(t, tk, heads, kv, size, q, k, v, o, room);
    return memory.floats(o, queries).slice();
  };
  return { memory, kernels, tensor, attend, room, q, k, v, queries, keys };
}

/** As the formula says it, in 64 bits. */
function attended({ t, tk, heads, kv, size }: Shape, q: Float32Array, k: Float32Array, v: Float32Array): Float64Array {
  const o = new Float64Array(t * heads * size);
  for (let h = 0; h < heads; h++) {
    const at = (position: number) => (position * kv + Math.floor(h / (heads / kv))) * size;
    for (let i = 0; i < t; i++) {
      const row = (i * heads + h) * size;
      const weights = Array.from({ length: tk - t + i + 1 }, (_, j) => {
        let score = 0;
        for (let d = 0; d < size; d++) score += q[row + d]! * k[at(j) + d]!;
        return Math.exp(score);
      });
      const sum = weights.reduce((a, b) => a + b, 0);
      weights.forEach((weight, j) => {
        for (let d = 0; d < size; d++) o[row + d]! += (weight / sum) * v[at(j) + d]!;
      });
    }
  }
  return o;
}

describe.each(SHAPES)('attention of the last $t of $tk positions, $heads heads of $size with $kv of keys', (shape) => {
  const { t, tk, heads, kv, size } = shape;

  it('is what the formula says', () => {
    const { memory, attend, q, k, v, queries, keys } = setUp(shape);
    const expected = attended(shape, memory.floats(q, queries), memory.floats(k, keys), memory.floats(v, keys));
    const furthest = attend().reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0);
    expect(furthest).toBeLessThan(1e-5);
  });

  it('has the same bits over a cache, however its positions came there and whether it grew', () => {
    const { memory, kernels, tensor, attend, q, k, v, queries } = setUp(shape);
    const expected = attend();
    const width = kv * size * 4;
    const before = tk - t;
    for (const step of [1, 3, t]) {
      const small = Math.ceil(Math.max(before, 1) / 8) * 8;
      const capacity = Math.ceil(tk / 8) * 8 + 8;
      const first = tensor(2 * kv * size * small, 9);
      const cache = tensor(2 * kv * size * capacity, 9);
      const values = cache + kv * size * capacity * 4;
      kernels.appendCache(before, 0, kv, size, small, k, v, first, first + kv * size * small * 4);
      kernels.growCache(before, kv, size, first, small, cache, capacity);
      const scores = tensor(Math.max(36, heads) * capacity, 9);
      const o = tensor(queries, 0);
      for (let at = 0; at < t; at += step) {
        const [n, position, row] = [Math.min(step, t - at), before + at, at * heads * size * 4];
        kernels.appendCache(n, position, kv, size, capacity, k + position * width, v + position * width, cache, values);
        kernels.attendCache(n, position, heads, kv, size, capacity, q + row, cache, values, o + row, scores);
      }
      expect(memory.floats(o, queries)).toEqual(expected);
    }
  });

  it('has the gradients that finite differences have', () => {
    const { memory, kernels, tensor, attend, room, q, k, v, queries, keys } = setUp(shape);
    const dO = tensor(queries, 5);
    const [dq, dk, dv] = [tensor(queries, 4), tensor(keys, 0), tensor(keys, 0)];
    kernels.attendBackward(t, tk, heads, kv, size, q, k, v, dO, dq, dk, dv, room);
    const upstream = memory.floats(dO, queries);
    const loss = () => attend().reduce((sum, value, i) => sum + value * upstream[i]!, 0);
    for (const [x, gradient, count] of [
      [q, dq, queries],
      [k, dk, keys],
      [v, dv, keys],
    ] as const) {
      const values = memory.floats(x, count);
      const [given, found] = [values.slice(), memory.floats(gradient, count)];
      const direction = Float32Array.from(given, (_, i) => Math.cos(i * 2.3));
      const shifted = (by: number) => (values.set(given.map((value, i) => value + by * direction[i]!)), loss());
      const [above, below] = [shifted(1e-2), shifted(-1e-2)];
      values.set(given);
      const expected = direction.reduce((sum, value, i) => sum + value * found[i]!, 0);
      expect(Math.abs((above - below) / 2e-2 - expected)).toBeLessThan(0.01 * (1 + Math.abs(expected)));
    }
  });
});

describe('kernels that do two things at once', () => {
  const { memory, kernels, tensor } = setUp(SHAPES[0]!);
  const N = 64;

  it('the way back of SwiGLU gives its output again, with the same bits, and may write over what it reads', () => {
    const [gate, up, dy, apart, dGate, y, again] = [1, 2, 3, 0, 0, 0, 0].map((seed) => tensor(N, seed)) as number[];
    kernels.swiglu(gate!, up!, y!, N);
    kernels.swigluBackward(gate!, up!, dy!, dGate!, apart!, again!, N);
    expect(memory.floats(again!, N)).toEqual(memory.floats(y!, N));
    kernels.swigluBackward(gate!, up!, dy!, dGate!, dy!, again!, N);
    expect(memory.floats(dy!, N)).toEqual(memory.floats(apart!, N));
  });

  it("scores of targets are logits less logSumExp, as in sampling, beside their distribution's entropy", () => {
    const n = 1003;
    const [logits, targets, logprobs, entropies] = [tensor(n, 6), tensor(1, 0), tensor(1, 0), tensor(1, 0)];
    memory.integers(targets, 1)[0] = 17;
    kernels.scoreTargets(logits, targets, logprobs, entropies, 1, n);
    const values = memory.floats(logits, n);
    const lse = kernels.logSumExp(logits, n);
    expect(memory.floats(logprobs, 1)[0]).toBe(Math.fround(values[17]! - lse));
    const entropy = values.reduce((sum, value) => sum - Math.exp(value - lse) * (value - lse), 0);
    expect(memory.floats(entropies, 1)[0]).toBeCloseTo(entropy, 4);
  });
});
