import { EngineError } from '../protocol/engine.errors.js';

/** A server on another machine that base models are trained or sampled by. */
export interface RemoteServerCheck {
  /** What it does for its base model. */
  readonly kind: 'trainer' | 'inference';
  /** Host and port. */
  readonly host: string;
  /** Name of the base model here. */
  readonly baseModel: string;
  /**
   * Asks it whether it would do its work now, within a time in milliseconds; nothing is begun there.
   * @throws EngineError `unavailable` where it can't be had for now, `bad_answer` where it refuses the key or hasn't the model
   */
  ask(timeoutMs: number): Promise<void>;
}

/** A connection that was kept may be gone just now: of one that breaks a second one tells more. */
export const CHECK_PATIENCE_MS = 600;

/**
 * Whoever names the base models that it has must name ours. A server that names none may have any.
 * @param list what it answered, @param key of an entry's name
 * @throws EngineError `bad_answer`
 */
export function checkModelIsThere(list: unknown, key: string, model: string, where: string): void {
  if (!Array.isArray(list) || list.length === 0) return;
  const names = list.map((entry: unknown) => (entry as Record<string, unknown> | null)?.[key]);
  if (names.includes(model)) return;
  throw new EngineError('bad_answer', `${where} hasn't the base model ${model}`);
}
