import { EngineError } from '../protocol/engine.errors.js';
import type { PromptToken } from '../protocol/generate.js';

/** The `count` most probable tokens, best first, of equal ones the lowest id. */
export function mostProbable(logits: Float32Array, lse: number, count: number): { id: number; logprob: number }[] {
  const best: number[] = [];
  if (count === 0) return [];
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (best.length === count && !(logit > logits[best[count - 1]!]!)) continue;
    if (best.length === count) best.pop();
    let place = best.length;
    while (place > 0 && logit > logits[best[place - 1]!]!) place--;
    best.splice(place, 0, id);
  }
  return best.map((id) => ({ id, logprob: logprobOf(logits, lse, id) }));
}

export const logprobOf = (logits: Float32Array, lse: number, id: number): number => Math.fround(logits[id]! - lse);

/** What the model thinks of a token that was given. @throws EngineError `diverged` where the logits are no distribution */
export function promptToken(logits: Float32Array, lse: number, id: number, alternatives: number): PromptToken {
  checkFinite(lse);
  const logit = logits[id]!;
  let rank = 1;
  for (const other of logits) if (other > logit) rank++;
  return { id, logprob: logprobOf(logits, lse, id), rank, top: mostProbable(logits, lse, alternatives) };
}

/** The sum of all exponentials: one NaN or +Infinity, or nothing but -Infinity, shows in it. @throws EngineError `diverged` */
export function checkFinite(lse: number): void {
  if (!Number.isFinite(lse)) throw new EngineError('diverged', 'The model gives no finite probabilities.');
}
