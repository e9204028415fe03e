import type { ModelConfig, RopeScaling } from './model-config.js';

const { fround } = Math;

/**
 * Cosines and sines [to - from, headSize/2] of some positions, rounded where transformers rounds, so that they agree to the
 * bit.
 */
export function ropeTables(
  config: ModelConfig,
  from = 0,
  to = config.contextLength,
): { cos: Float32Array; sin: Float32Array } {
  const half = config.headSize / 2;
  const cos = new Float32Array((to - from) * half);
  const sin = new Float32Array((to - from) * half);
  ropeFrequencies(config).forEach((frequency, i) => {
    for (let position = from; position < to; position++) {
      const angle = fround(position * frequency);
      const at = (position - from) * half + i;
      cos[at] = Math.cos(angle);
      sin[at] = Math.sin(angle);
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
