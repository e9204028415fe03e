import { builtFile } from '../tensor/built-file.js';

/** The base models that come with Heddle: id to directory. */
export const SHIPPED_MODELS: Readonly<Record<string, string>> = {
  'heddle/shuttle-1m': builtFile('base-models/shuttle'),
};
