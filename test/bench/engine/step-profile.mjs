import { Compute } from '../../../dist/libs/engine/src/model/compute.js';
import { Decoder } from '../../../dist/libs/engine/src/model/decoder.js';
import { ModelMemory } from '../../../dist/libs/engine/src/model/model-memory.js';
import { layoutAdapter, precisionFor } from '../../../dist/libs/engine/src/model/weights.layout.js';
import { openModel } from '../../../dist/libs/engine/src/files/model-directory.js';
import { Arena } from '../../../dist/libs/engine/src/tensor/arena.js';

const RANK = 8;
const PEAK_FLOPS = 112;

/**
 * Where the time of one thread's forward and backward pass goes: seconds and GFLOP/s of each kernel, products by their shapes.
 * @param length tokens of the one sequence, all of them targets but the first
 */
export async function profileStep(directory, length, rounds = 3) {
  const { config, weights } = await openModel(directory);
  const model = await ModelMemory.load(config, weights, precisionFor(config, weights.bfloat16));
  weights.close();
  const compute = new Compute(model.view, model.tensors.allocate(Compute.SCRATCH));
  const size = layoutAdapter(config, RANK).size;
  const [at, gradient] = [model.tensors.allocate(size * 4), model.tensors.allocate(size * 4)];
  model.tensors.floats(at, size).forEach((_, i, values) => (values[i] = Math.sin(i) * 0.01));
  const adapter = { address: at, rank: RANK, scale: 2 };
  const tokens = Int32Array.from({ length }, (_, i) => (i * 7919) % config.vocabularySize);
  const targets = Int32Array.from({ length: length - 1 }, (_, i) => i + 1);
  const trees = [{ prefix: new Int32Array(0), branches: [{ tokens, targets }] }];
  const bytes = Decoder.bytes(config, trees, RANK).all;
  const times = new Map();
  const measure = watched(compute.kernels, times);
  const peak = Math.max(...Array.from({ length: 8 }, () => speedOf(() => compute.kernels.peak(1e6), 1e6 * PEAK_FLOPS)));
  const decoder = new Decoder(
    Object.assign(compute, { kernels: measure }),
    new Arena(model.tensors.allocate(bytes), bytes),
  );
  const pass = () => {
    times.clear();
    const start = cpuTime();
    const { scores, backward } = decoder.forward(trees, adapter);
    const middle = cpuTime();
    backward(new Float32Array(scores.logprobs.length).fill(1 / length), { adapter: gradient, base: 0 });
    return { forward: middle - start, total: cpuTime() - start, parts: new Map(times) };
  };
  const passes = Array.from({ length: rounds }, pass);
  const best = passes.reduce((least, one) => (one.total < least.total ? one : least));
  return { ...best, peak, length };
}

/** Milliseconds of CPU time: others on this machine must not count. */
const cpuTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const speedOf = (run, flops) => {
  const start = cpuTime();
  run();
  return flops / (cpuTime() - start) / 1e6;
};

/** Products by shape and by how their operands lie; `times` gets milliseconds, calls and floating-point operations. */
function watched(kernels, times) {
  return Object.fromEntries(
    Object.entries(kernels).map(([name, kernel]) => [
      name,
      (...args) => {
        const start = cpuTime();
        const result = kernel(...args);
        const spent = cpuTime() - start;
        const { key, flops } = describe(name, args);
        const part = times.get(key) ?? { ms: 0, calls: 0, flops: 0 };
        times.set(key, { ms: part.ms + spent, calls: part.calls + 1, flops: part.flops + flops });
        return result;
      },
    ]),
  );
}

function describe(name, args) {
  if (name.startsWith('gemm')) {
    const [m, n, k, , , csA, , , csB] = args;
    return {
      key: `${m} x ${n}, k ${k}${csA === 1 ? '' : ', A^T'}${csB === 1 ? '' : ', B^T'}`,
      flops: 2 * m * n * k,
    };
  }
  if (name.startsWith('multiplyHalf')) {
    const [rows, input, output] = args;
    const back = name === 'multiplyHalfBack';
    const [n, k] = back ? [input, output] : [output, input];
    return { key: `${rows} x ${n}, k ${k}${back ? ', B^T' : ''}, 16 bit`, flops: 2 * rows * n * k };
  }
  if (name.startsWith('attend')) {
    const [t, tk, heads, , size] = args;
    const products = name === 'attend' ? 2 : 5;
    return { key: name, flops: products * 2 * heads * size * t * (tk - t / 2) };
  }
  return { key: name, flops: 0 };
}
