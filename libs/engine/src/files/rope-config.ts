import type { ModelConfig, RopeScaling } from '../model/model-config.js';
import type { JsonFields } from './json-fields.js';

type Rope = Pick<ModelConfig, 'ropeTheta' | 'ropeScaling'>;

/**
 * RoPE as config.json describes it: in `rope_parameters` (transformers 5) or in `rope_theta` and `rope_scaling` (before).
 * @throws EngineError for a way to scale that the engine doesn't know.
 */
export function parseRope(fields: JsonFields, contextLength: number): Rope {
  const older = fields.nested('rope_scaling');
  const newer = fields.nested('rope_parameters');
  // transformers 5 prefers the older key where it holds anything.
  const rope = older.keys().length ? older : newer;
  for (const place of [fields, rope]) {
    if (place.number('partial_rotary_factor', 1) !== 1) throw place.refusal('partial_rotary_factor', '1');
  }
  const perLayer = rope.keys().find((key) => typeof rope.get(key) === 'object');
  if (perLayer !== undefined) throw rope.refusal(perLayer, 'one RoPE for all layers');
  const place = rope.get('rope_theta') === undefined ? fields : rope;
  return { ropeTheta: positive(place, 'rope_theta', 10_000), ropeScaling: parseScaling(fields, rope, contextLength) };
}

/** For transformers 4 and vLLM, and for transformers 5. */
export function formatRope({ ropeTheta, ropeScaling }: Rope): Record<string, unknown> {
  const scaling = formatScaling(ropeScaling);
  return {
    rope_theta: ropeTheta,
    ...(scaling ? { rope_scaling: scaling } : {}),
    rope_parameters: { rope_theta: ropeTheta, ...(scaling ?? { rope_type: 'default' }) },
  };
}

function parseScaling(fields: JsonFields, rope: JsonFields, contextLength: number): RopeScaling | null {
  const key = rope.get('rope_type') === undefined && rope.get('type') !== undefined ? 'type' : 'rope_type';
  switch (rope.get(key) ?? 'default') {
    case 'default':
      return null;
    case 'linear':
      return { type: 'linear', factor: positive(rope, 'factor') };
    case 'llama3': {
      const lowFactor = positive(rope, 'low_freq_factor');
      const highFactor = positive(rope, 'high_freq_factor');
      if (highFactor <= lowFactor) throw rope.refusal('high_freq_factor', `more than low_freq_factor ${lowFactor}`);
      const outer = 'original_max_position_embeddings';
      const originalContext = (fields.get(outer) === undefined ? rope : fields).size(outer, contextLength);
      return { type: 'llama3', factor: positive(rope, 'factor'), lowFactor, highFactor, originalContext };
    }
    default:
      throw rope.refusal(key, '"default", "linear" or "llama3"');
  }
}

function formatScaling(scaling: RopeScaling | null): Record<string, unknown> | null {
  if (!scaling) return null;
  const { type, factor } = scaling;
  if (scaling.type === 'linear') return { rope_type: type, factor };
  return {
    rope_type: type,
    factor,
    low_freq_factor: scaling.lowFactor,
    high_freq_factor: scaling.highFactor,
    original_max_position_embeddings: scaling.originalContext,
  };
}

function positive(fields: JsonFields, key: string, fallback?: number): number {
  const value = fields.number(key, fallback);
  if (value > 0) return value;
  throw fields.refusal(key, 'a positive number');
}
