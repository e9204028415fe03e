import { type AdapterFiles, readAdapter } from '../files/adapter-directory.js';
import { type OptimizerState, readOptimizer } from '../files/optimizer-file.js';
import type { AdapterShape, TrainRequest } from '../protocol/train.js';
import { adapterShape } from './adapter-limits.js';
import type { DescribedModel } from './base-model.js';

/** What an adapter is when its training begins. */
export interface AdapterStart {
  /** Null where it is a fresh one. */
  files: AdapterFiles | null;
  /** Null where nothing is known of the optimiser. */
  moments: OptimizerState | null;
  shape: Required<AdapterShape>;
  seed: number;
  /** What a KL penalty compares with; null is the base model. */
  reference: AdapterFiles | null;
}

/** @throws EngineError `bad_model`, `invalid_request` */
export async function readStart(
  { from, seed, shape, klReference }: Pick<TrainRequest, 'from' | 'seed' | 'shape' | 'klReference'>,
  { config, info }: Pick<DescribedModel, 'config' | 'info'>,
): Promise<AdapterStart> {
  const reference = typeof klReference === 'string' ? await readAdapter(klReference, config) : null;
  if (from === null) return { files: null, moments: null, shape: adapterShape(shape, info.lora), seed, reference };
  const files = await readAdapter(from, config);
  const { rank, alpha } = files;
  return { files, moments: await readOptimizer(from, files), shape: { rank, alpha }, seed, reference };
}
