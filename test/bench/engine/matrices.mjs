import { instantiateKernels } from '../../../dist/libs/engine/src/tensor/kernels.js';
import { TensorMemory } from '../../../dist/libs/engine/src/tensor/tensor-memory.js';

// m, n, k and the strides of A and B, as the passes of the shipped model use them.
const SHAPES = [
  ['forward: 512 x 384, k 128', 512, 384, 128, [128, 1], [384, 1]],
  ['backward, B transposed: 512 x 128, k 384', 512, 128, 384, [384, 1], [1, 384]],
  ['gradient, A transposed: 128 x 384, k 512', 128, 384, 512, [1, 128], [384, 1]],
  ['decoding 32 sequences: 32 x 384, k 128', 32, 384, 128, [128, 1], [384, 1]],
  ['decoding one: 1 x 384, k 128', 1, 384, 128, [128, 1], [384, 1]],
];
const PEAK_FLOPS = 112;

export function measureMatrices() {
  const memory = new TensorMemory();
  const [a, b, c, scratch] = [1 << 22, 1 << 22, 1 << 22, 1 << 16].map((bytes) => memory.allocate(bytes));
  const kernels = instantiateKernels(memory.memory);
  memory.floats(a, 1 << 20).fill(1.5);
  memory.floats(b, 1 << 20).fill(0.5);
  const peak = best(() => kernels.peak(1_000_000), 1_000_000 * PEAK_FLOPS);
  const rows = SHAPES.map(([name, m, n, k, strideA, strideB]) => {
    const speed = best(
      () => {
        for (let i = 0; i < 40; i++) kernels.gemm(m, n, k, a, ...strideA, b, ...strideB, c, n, 0, scratch);
      },
      40 * 2 * m * n * k,
    );
    return [name, speed.toFixed(1), (speed / peak).toFixed(2)];
  });
  return [['peak: multiply and add in registers', peak.toFixed(1), '1.00'], ...rows];
}

/** GFLOP a second of CPU time, the best of some rounds. */
function best(run, flops) {
  run();
  let most = 0;
  for (let round = 0; round < 8; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < 5; i++) run();
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (5 * flops) / ((user + system) * 1000));
  }
  return most;
}
