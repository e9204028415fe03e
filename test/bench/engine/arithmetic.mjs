import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { openModel } from '../../../dist/libs/engine/src/files/model-directory.js';
import { LINEAR_MODULES, linearShape } from '../../../dist/libs/engine/src/model/model-config.js';
import { instantiateKernels } from '../../../dist/libs/engine/src/tensor/kernels.js';
import { TensorMemory } from '../../../dist/libs/engine/src/tensor/tensor-memory.js';

const RANK = 8;
const PEAK_FLOPS = 112;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * Floating-point operations of a step of training, or of a prompt; a multiplication and its addition are two.
 * @returns those with the base's weights, those of attention, and those of LoRA
 */
export async function operations(directory, { kind, batch = 1, length }) {
  const { config, weights } = await openModel(directory);
  weights.close();
  const shapes = LINEAR_MODULES.map((module) => linearShape(config, module));
  const linear = config.layers * sum(shapes.map(({ input, output }) => input * output));
  const lora = config.layers * RANK * sum(shapes.map(({ input, output }) => input + output));
  const training = kind === 'training';
  // Nothing is predicted from the last token of a sequence; of a prompt only the last token's prediction is wanted.
  const rows = training ? length - 1 : length;
  const head = config.hiddenSize * config.vocabularySize * (training ? rows : 1);
  const base = 2 * (linear * rows + head);
  // Each row sees itself and those before it: scores, and the sum of values.
  const attention = (config.layers * 4 * config.heads * config.headSize * rows * (rows + 1)) / 2;
  if (!training) return [base, attention, 2 * lora * rows];
  // Back through the base to its input alone; through attention and LoRA to both operands of each product.
  return [2 * base, 3 * attention, 6 * lora * rows].map((count) => batch * count);
}

/** What 128-bit SIMD does at most in so many threads at the same time, in operations a second. */
export async function peakOf(threads) {
  const measure = () =>
    new Promise((resolve, reject) => {
      new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject);
    });
  return sum(await Promise.all(Array.from({ length: threads }, measure)));
}

if (!isMainThread) {
  const kernels = instantiateKernels(new TensorMemory().memory);
  const rounds = 1_000_000;
  const speeds = Array.from({ length: 40 }, () => {
    const start = performance.now();
    kernels.peak(rounds);
    return (rounds * PEAK_FLOPS) / (performance.now() - start);
  });
  parentPort.postMessage(Math.max(...speeds) * 1000);
}
