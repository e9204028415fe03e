import { EngineError } from '../protocol/engine.errors.js';
import type { AdapterShape } from '../protocol/train.js';

/** The largest LoRA rank that is trained and served. */
export const MAX_RANK = 64;

/** Of an adapter where nobody says otherwise; alpha is twice the rank then, which is what LoRA is mostly trained with. */
const DEFAULT_RANK = 8;

/**
 * The shape of a new adapter: what is named, and of `defaults` what is not.
 * @throws EngineError `invalid_request`
 */
export function adapterShape(named: AdapterShape | undefined, defaults: AdapterShape = {}): Required<AdapterShape> {
  const rank = named?.rank ?? defaults.rank ?? DEFAULT_RANK;
  const alpha = named?.alpha ?? defaults.alpha ?? 2 * rank;
  if (!Number.isInteger(rank) || rank < 1 || rank > MAX_RANK) {
    throw new EngineError('invalid_request', `a LoRA rank of ${rank}; it may be from 1 to ${MAX_RANK}`, 'lora_rank');
  }
  if (!(alpha > 0 && alpha < Infinity)) {
    throw new EngineError('invalid_request', `a LoRA alpha of ${alpha}; it must be more than 0`, 'lora_alpha');
  }
  return { rank, alpha };
}
