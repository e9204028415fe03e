import { type AdapterFiles, readAdapter } from '../files/adapter-directory.js';
import { type OptimizerState, readOptimizer } from '../files/optimizer-file.js';
import type { ModelConfig } from '../model/model-config.js';

/** A whole adapter, to train on with. */
export interface AdapterState {
  files: AdapterFiles;
  /** Null where nothing is known of the optimiser. */
  moments: OptimizerState | null;
}

export const adapterReader =
  (config: ModelConfig) =>
  async (directory: string): Promise<AdapterState> => {
    const files = await readAdapter(directory, config);
    return { files, moments: await readOptimizer(directory, files) };
  };
