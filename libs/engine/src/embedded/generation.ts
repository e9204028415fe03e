import type { GenerateEvent, GenerateRequest } from '../protocol/generate.js';
import { Follower } from '../sampling/follower.js';
import { randomSeed } from '../sampling/random-stream.js';
import { checkSamplingOptions } from '../sampling/sampling-options.js';
import { scorePrompt } from '../threads/prompt-scores.js';
import type { SampleThreads } from '../threads/sample-threads.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { HeldAdapter } from './loaded-adapters.js';
import type { BaseModel } from './base-model.js';
import { EventQueue } from './event-queue.js';
import { promptTokens } from '../text/prompt-tokens.js';

/** One request's completions, from prompt to end. */
export async function* generate(
  base: BaseModel,
  threads: SampleThreads,
  held: HeldAdapter | null,
  request: GenerateRequest,
  signal?: AbortSignal,
): AsyncGenerator<GenerateEvent> {
  const tools = ('messages' in request.prompt && request.prompt.tools) || [];
  const { contextLength, vocabularySize } = base.memory.config;
  const prompt = promptTokens(base, request.prompt, vocabularySize);
  const options = checkSamplingOptions(request.options, {
    contextLength,
    vocabularySize,
    promptLength: prompt.length,
    defaults: request.forTraining ? {} : base.info.sampling,
    encode: (text) => [...base.tokenizer.encode(text)],
  });
  // Looked up only where there may be calls.
  const toolCalls = tools.length > 0 ? base.template.toolCallForm : 'tagged';
  const seed = options.seed ?? randomSeed();
  const adapter = held && { view: held.adapter.view, key: held.key };
  const spec = { prompt, adapter, options, seed, choice: 0, tools, toolCalls };
  const scores = options.promptLogprobs === undefined ? null : await scorePrompt(threads, spec, signal);
  yield {
    type: 'prompt',
    tokenIds: prompt,
    ...(scores && { scores }),
    ...(toolCalls === 'tagged' ? {} : { toolCalls }),
  };
  signal?.throwIfAborted();
  const queue = new EventQueue<GenerateEvent>();
  const stops = new Set<() => void>();
  let running = options.n;
  let noneLeft: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (noneLeft = resolve));
  for (let choice = 0; choice < options.n; choice++) {
    const how = { choice, whole: request.whole, toolCalls: tools.length > 0 ? toolCalls : null };
    const texts = { tokenizer: base.tokenizer, endTokenIds: base.memory.config.endTokenIds };
    const follower = new Follower(texts, options, how, (event) => queue.push(event));
    const stop = threads.start(
      { ...spec, choice },
      {
        token: (token) => {
          follower.token(token);
          // The thread knows end tokens and limits by itself, but not stop strings.
          if (follower.hasEnded) stop();
        },
        end: (error) => {
          stops.delete(stop);
          if (error) queue.fail(error);
          else follower.end();
          if (--running > 0) return;
          queue.end();
          noneLeft();
        },
      },
    );
    if (running > 0) stops.add(stop);
  }
  const abort = () => queue.fail(new EngineError('cancelled', 'the generation was stopped'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    yield* queue;
  } finally {
    signal?.removeEventListener('abort', abort);
    for (const stop of stops) stop();
    // The adapter may go only when no thread computes with it any more.
    await ended;
  }
}
