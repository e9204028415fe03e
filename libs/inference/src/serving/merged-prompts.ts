import type { GenerateEvent } from '@heddle/engine';
import type { AnswerEvent } from '../answer/answer-form.js';

/**
 * The events of several generations as they come, as of one: choice `c` of prompt `p` is choice `p * n + c`. All of them end
 * when one fails, or when the reader leaves.
 * @param n choices of each
 */
export async function* mergedPrompts(
  generations: AsyncGenerator<GenerateEvent>[],
  n: number,
): AsyncGenerator<AnswerEvent> {
  if (generations.length === 1) return yield* generations[0]!;
  const next = (at: number) => generations[at]!.next().then((result) => ({ at, result }));
  const pending = new Map(generations.map((_, at) => [at, next(at)]));
  try {
    while (pending.size > 0) {
      const { at, result } = await Promise.race(pending.values());
      if (result.done) pending.delete(at);
      else {
        pending.set(at, next(at));
        const { value } = result;
        yield { ...value, choice: at * n + (value.type === 'prompt' ? 0 : value.choice) };
      }
    }
  } finally {
    for (const waiting of pending.values()) waiting.catch(() => undefined);
    await Promise.all(generations.map((generation) => generation.return(undefined)));
  }
}
