import type { ModelConfig, RopeScaling } from './model-config.js';

const { fround } = Math;

/** Cosines and sines [contextLength, headSize/2], rounded where transformers rounds, so that positions agree to the bit. */
export function ropeTables(config: ModelConfig): { cos: Float32Array; sin: Float32Array } {
  const half = config.headSize / 2;
  const cos = new Float32Array(config.contextLength * half);
  const sin = new Float32Array(config.contextLength * half);
  ropeFrequencies(config).forEach((frequency, i) => {
    for (let position = 0; position < config.contextLength; position++) {
      const angle = fround(position * frequency);
      cos[position * half + i] = Math.cos(angle);
      sin[position * half + i] = Math.sin(angle);
    }
  });
  return { cos, sin };
}

/** Radians a position, of each pair of a head's numbers. */
export function ropeFrequencies(config: ModelConfig): Float32Array {
  const { headSize, ropeTheta, ropeScaling } = config;
  return Float32Array.from({ length: headSize / 2 }, (_, i) =>
    scaled(fround(1 / fround(ropeTheta ** fround((2 * i) / headSize))), ropeScaling),
  );
}

function scaled(frequency: number, scaling: RopeScaling | null): number {
  if (scaling === null) return frequency;
  if (scaling.type === 'linear') return fround(frequency / scaling.factor);
  // Llama 3.1: what turns fast stays, what turns slowly turns slower by the factor, and between them it goes over.
  const { factor, lowFactor, highFactor, originalContext } = scaling;
  const wavelength = fround(fround(2 * Math.PI) / frequency);
  if (wavelength < originalContext / highFactor) return frequency;
  if (wavelength > originalContext / lowFactor) return fround(frequency / factor);
  const kept = fround(fround(fround(originalContext / wavelength) - lowFactor) / (highFactor - lowFactor));
  return fround(fround(fround(fround(1 - kept) * frequency) / factor) + fround(kept * frequency));
}
