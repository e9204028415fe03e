import { EngineError } from '../protocol/engine.errors.js';
import type { PromptToken } from '../protocol/generate.js';
import type { SampleThreads } from './sample-threads.js';

/**
 * Log probabilities of a prompt's tokens after the first.
 * @throws EngineError `cancelled` when it was aborted; no thread computes it any more then
 */
export function scorePrompt(
  threads: SampleThreads,
  spec: Parameters<SampleThreads['start']>[0],
  signal?: AbortSignal,
): Promise<readonly PromptToken[]> {
  return new Promise((resolve, reject) => {
    let scores: readonly PromptToken[] = [];
    const stop = threads.start(
      { ...spec, scoresPrompt: true },
      {
        token: () => undefined,
        scored: (tokens) => (scores = tokens),
        end: (error) => {
          signal?.removeEventListener('abort', stop);
          if (error) reject(error);
          else if (signal?.aborted) reject(new EngineError('cancelled', 'the generation was stopped'));
          else resolve(scores);
        },
      },
    );
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
