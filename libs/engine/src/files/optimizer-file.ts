import { join } from 'node:path';
import type { AdapterWeights } from './adapter-tensors.js';
import { sameShape } from './model-tensors.js';
import { isThere } from './read-files.js';
import { SafetensorsFile } from './safetensors-file.js';
import { broken } from './safetensors-header.js';
import { type NamedTensor, writeNewSafetensors } from './safetensors-writer.js';

const FILE = 'optimizer.safetensors';

/** State of AdamW for an adapter: moving means of each weight's gradient and of its square. */
export interface OptimizerState {
  /** Steps taken so far; bias correction needs it. */
  step: number;
  /** By the adapter's keys, each as long as the adapter's tensor. */
  moments: Map<string, Moments>;
}

export interface Moments {
  first: Float32Array;
  second: Float32Array;
}

/**
 * Reads the state beside an adapter; null where there is none, as beside adapters that others made.
 * @throws EngineError `bad_model` unless it is of just this adapter.
 */
export async function readOptimizer(directory: string, adapter: AdapterWeights): Promise<OptimizerState | null> {
  if (!(await isThere(directory, FILE))) return null;
  const file = SafetensorsFile.open(join(directory, FILE));
  try {
    if (file.metadata['kind'] !== 'adamw') throw broken(FILE, 'metadata kind must be adamw');
    const moments = new Map<string, Moments>();
    for (const [key, shape] of shapesOf(adapter)) {
      const first = readMoment(file, `${key}.first`, shape, -Infinity);
      const second = readMoment(file, `${key}.second`, shape, 0);
      moments.set(key, { first, second });
    }
    if (file.names().length !== 2 * moments.size) throw broken(FILE, 'tensors that the adapter does not have');
    return { step: readStep(file.metadata['step']), moments };
  } finally {
    file.close();
  }
}

/** Writes a new file into a directory that is written whole. */
export async function writeOptimizer(directory: string, adapter: AdapterWeights, state: OptimizerState): Promise<void> {
  const tensors: NamedTensor[] = [];
  for (const [key, shape] of shapesOf(adapter)) {
    const moments = state.moments.get(key);
    if (!moments) throw new TypeError(`no optimiser state for ${key}`);
    tensors.push({ name: `${key}.first`, shape, data: moments.first });
    tensors.push({ name: `${key}.second`, shape, data: moments.second });
  }
  if (tensors.length !== 2 * state.moments.size) throw new TypeError('optimiser state that the adapter does not have');
  const metadata = { kind: 'adamw', step: String(state.step) };
  await writeNewSafetensors(join(directory, FILE), tensors, { dtype: 'F32', metadata });
}

/** A's first size is the rank, B's last. */
function shapesOf({ rank, tensors }: AdapterWeights): [string, number[]][] {
  return [...tensors].map(([key, { length }]) => [
    key,
    key.endsWith('A') ? [rank, length / rank] : [length / rank, rank],
  ]);
}

function readMoment(file: SafetensorsFile, name: string, shape: readonly number[], least: number): Float32Array {
  const found = file.shape(name);
  if (!sameShape(found, shape)) {
    throw broken(FILE, `${name}: shape [${found.join(', ')}], expected [${shape.join(', ')}]`);
  }
  const values = file.read(name);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value) || value < least) throw broken(FILE, `${name}: value ${i} is ${value}`);
  }
  return values;
}

function readStep(text: string | undefined): number {
  const step = /^\d{1,15}$/.test(text ?? '') ? Number(text) : NaN;
  if (Number.isNaN(step)) throw broken(FILE, `metadata step is ${text ?? 'missing'}, expected a whole number`);
  return step;
}
