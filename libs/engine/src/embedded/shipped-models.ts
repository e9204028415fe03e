import type { BaseModelSource } from '../protocol/engine.js';
import { builtFile } from '../tensor/built-file.js';

/** The base models that come with Heddle. */
export const SHIPPED_MODELS: readonly BaseModelSource[] = [
  // Adam moves each weight by about the learning rate a step: so much alpha makes a rate of 1e-4, which clients pass, move
  // a model as small as this one by something.
  { id: 'heddle/shuttle-1m', directory: builtFile('base-models/shuttle'), lora: { rank: 8, alpha: 512 } },
];
