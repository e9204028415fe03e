import type { InferenceSource, TinkerSource } from '@heddle/engine';

/** One base model of the user's own, as the file of BASE_MODELS names it. */
export interface BaseModelEntry {
  /** Name on the wire; of one that comes from the hub also its name there. */
  id: string;
  /** In Hugging Face form; null: it comes from the hub. */
  directory: string | null;
  /** On the hub: a branch, a tag or a commit. */
  revision: string;
  /** Of new adapters; what is missing is the engine's to say. */
  lora: { rank?: number; alpha?: number };
  /** What trains its adapters; absent: the engine of this machine. */
  trainer?: TinkerSource;
  /** What samples it; absent: what trains it. */
  inference?: readonly InferenceSource[];
}

export const DEFAULT_REVISION = 'main';
