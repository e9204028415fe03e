// Usage: npm run bench engine      PYTHON=<python with torch, transformers and peft> adds the baseline.
// The embedded engine against PyTorch on the CPU: the same weights, batch and number of threads, in tokens a second; and
// the matrix product against what 128-bit SIMD can do at most.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../support/table.mjs';
import { measureMatrices } from './matrices.mjs';
import { measureModel, SIZES, writeSize } from './tokens.mjs';

const threads = Math.min(2, cpus().length);

export default async function benchEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  try {
    printTable('Matrix product, one thread', ['shape', 'GFLOP/s', 'of peak'], measureMatrices());
    const rows = [];
    for (const [name, size] of Object.entries(SIZES)) {
      const directory = await writeSize(join(folder, name), size);
      const ours = await measureModel(directory, join(folder, `${name}-adapters`), threads);
      const theirs = baseline(directory, threads);
      for (const what of ['training', 'sampling']) {
        const ratio = theirs ? (ours[what] / theirs[what]).toFixed(2) : '';
        rows.push([`${name}, ${what}`, Math.round(ours[what]), theirs ? Math.round(theirs[what]) : 'no PYTHON', ratio]);
      }
      rows.push([`${name}, peak memory in MiB`, Math.round(ours.mebibytes), '', '']);
      rows.push([`${name}, the same with 16 adapters served at once`, Math.round(ours.mebibytesWithAll), '', '']);
    }
    printTable(`Tokens a second with ${threads} threads`, ['', 'Heddle', 'PyTorch', 'ratio'], rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function baseline(directory, threads) {
  if (!process.env.PYTHON) return null;
  mkdirSync(directory, { recursive: true });
  const script = new URL('./torch_baseline.py', import.meta.url).pathname;
  const run = spawnSync(process.env.PYTHON, [script, directory, String(threads)], {
    encoding: 'utf8',
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout.trim().split('\n').at(-1));
}
