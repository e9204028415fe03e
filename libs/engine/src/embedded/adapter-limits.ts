import { EngineError } from '../protocol/engine.errors.js';
import type { AdapterShape } from '../protocol/train.js';

/** The largest LoRA rank that is trained and served. */
export const MAX_RANK = 64;

/**
 * Shape of an adapter where nobody says otherwise. Adam moves each weight by about the learning rate a step; alpha / rank
 * makes a rate of 1e-4, which clients pass, move a small model by something.
 */
const DEFAULT_SHAPE = { rank: 8, alpha: 512 };

/**
 * The shape of a new adapter: what is named, and of `defaults` what is not.
 * @throws EngineError `invalid_request`
 */
export function adapterShape(
  named: AdapterShape | undefined,
  defaults: Required<AdapterShape> = DEFAULT_SHAPE,
): Required<AdapterShape> {
  const { rank = defaults.rank, alpha = defaults.alpha } = named ?? {};
  if (!Number.isInteger(rank) || rank < 1 || rank > MAX_RANK) {
    throw new EngineError('invalid_request', `a LoRA rank of ${rank}; it may be from 1 to ${MAX_RANK}`, 'lora_rank');
  }
  if (!(alpha > 0 && alpha < Infinity)) {
    throw new EngineError('invalid_request', `a LoRA alpha of ${alpha}; it must be more than 0`, 'lora_alpha');
  }
  return { rank, alpha };
}
