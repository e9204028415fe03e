import { readFileSync } from 'node:fs';
import { builtFile } from './built-file.js';
import { compileKernels, instantiateKernels } from './kernels.js';
import { TensorMemory } from './tensor-memory.js';
import { transpose } from './transpose.js';

// Odd sizes, so that every kind of tile and every edge is taken; k goes over a panel of B.
const M = 37;
const N = 75;
const K = 600;

function setUp(relaxed: boolean) {
  const memory = new TensorMemory();
  const kernels = instantiateKernels(memory.memory, compileKernels(relaxed));
  const tensor = (count: number) => memory.allocate(count * 4);
  const [a, b, c, scratch] = [tensor(M * K), tensor(K * N), tensor(M * N), tensor(1 << 16)] as const;
  memory.floats(a, M * K).forEach((_, i, values) => (values[i] = Math.sin(i)));
  memory.floats(b, K * N).forEach((_, i, values) => (values[i] = Math.cos(i * 1.7)));
  /** Rows `from` to `to` of A B, as a copy. */
  const product = (from: number, to: number) => {
    const rows = to - from;
    kernels.gemm(rows, N, K, a + from * K * 4, K, 1, b, N, 1, c, N, 0, scratch);
    return memory.floats(c, rows * N).slice();
  };
  return { memory, kernels, product, a, b, c, scratch };
}

function exact(memory: TensorMemory, a: number, b: number): Float64Array {
  const [x, y, sums] = [memory.floats(a, M * K), memory.floats(b, K * N), new Float64Array(M * N)];
  for (let i = 0; i < M; i++)
    for (let j = 0; j < N; j++) for (let k = 0; k < K; k++) sums[i * N + j]! += x[i * K + k]! * y[k * N + j]!;
  return sums;
}

function furthest(from: Float32Array, to: Float64Array): number {
  return from.reduce((most, value, i) => Math.max(most, Math.abs(value - to[i]!)), 0);
}

describe.each([
  { name: 'that fuse multiplication and addition', relaxed: true },
  { name: 'for 128-bit SIMD without it', relaxed: false },
])('the kernels $name', ({ relaxed }) => {
  it('multiply matrices', () => {
    const { memory, product, a, b } = setUp(relaxed);
    expect(furthest(product(0, M), exact(memory, a, b))).toBeLessThan(2e-5);
  });

  it('give a row the same bits alone, among some, and among all', () => {
    const { product } = setUp(relaxed);
    const all = product(0, M);
    // Every way to cut some rows into tiles.
    for (let rows = 1; rows < 20; rows++) {
      const from = rows % 7;
      expect(product(from, from + rows)).toEqual(all.slice(from * N, (from + rows) * N));
    }
  });

  it('give the same bits where an operand is transposed', () => {
    const { memory, kernels, product, a, b, c, scratch } = setUp(relaxed);
    const straight = product(0, M);
    const transposed = (from: number, rows: number, columns: number) => {
      const to = memory.allocate(rows * columns * 4);
      transpose(memory.floats(from, rows * columns), columns, memory.floats(to, rows * columns));
      return to;
    };
    kernels.gemm(M, N, K, transposed(a, M, K), 1, M, transposed(b, K, N), 1, K, c, N, 0, scratch);
    expect(memory.floats(c, M * N)).toEqual(straight);
  });
});

describe('the two builds of the kernels', () => {
  it('agree but for rounding', () => {
    const [fused, plain] = [setUp(true).product(0, M), setUp(false).product(0, M)];
    expect(furthest(fused, Float64Array.from(plain))).toBeLessThan(2e-5);
  });

  it('are both compiled by this Node.js', () => {
    compileKernels();
    expect(WebAssembly.validate(readFileSync(builtFile('kernels/kernels-relaxed.wasm')))).toBe(true);
  });
});
