import type { ModelConfig } from './model-config.js';

/** Cosines and sines [contextLength, headSize/2], rounded where transformers rounds, so that positions agree to the bit. */
export function ropeTables(config: ModelConfig): { cos: Float32Array; sin: Float32Array } {
  const half = config.headSize / 2;
  const cos = new Float32Array(config.contextLength * half);
  const sin = new Float32Array(config.contextLength * half);
  for (let i = 0; i < half; i++) {
    const frequency = Math.fround(1 / Math.fround(config.ropeTheta ** Math.fround((2 * i) / config.headSize)));
    for (let position = 0; position < config.contextLength; position++) {
      const angle = Math.fround(position * frequency);
      cos[position * half + i] = Math.cos(angle);
      sin[position * half + i] = Math.sin(angle);
    }
  }
  return { cos, sin };
}
