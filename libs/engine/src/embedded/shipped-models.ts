import type { BaseModelSource } from '../protocol/engine.js';
import { builtFile } from '../tensor/built-file.js';

/** The base models that come with Heddle. */
export const SHIPPED_MODELS: readonly BaseModelSource[] = [
  { id: 'heddle/shuttle-1m', directory: builtFile('base-models/shuttle') },
];
