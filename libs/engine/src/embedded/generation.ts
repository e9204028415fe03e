import type { ToolCallForm } from '../protocol/chat.js';
import type { GenerateEvent, GenerateRequest } from '../protocol/generate.js';
import { Completion, type TokensEvent } from '../sampling/completion.js';
import { randomSeed } from '../sampling/random-stream.js';
import { checkSamplingOptions, type ResolvedOptions } from '../sampling/sampling-options.js';
import { Detokenizer } from '../text/detokenizer.js';
import { parseToolCalls } from '../text/tool-calls.js';
import type { SampleThreads } from '../threads/sample-threads.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { HeldAdapter } from './adapter-store.js';
import type { BaseModel } from './base-model.js';
import { EventQueue } from './event-queue.js';
import { promptTokens } from './prompt-tokens.js';

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
  yield { type: 'prompt', tokenIds: prompt, ...(toolCalls === 'tagged' ? {} : { toolCalls }) };
  signal?.throwIfAborted();
  const queue = new EventQueue<GenerateEvent>();
  const seed = options.seed ?? randomSeed();
  const adapter = held && { view: held.adapter.view, key: held.key };
  const stops = new Set<() => void>();
  let running = options.n;
  let noneLeft: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (noneLeft = resolve));
  for (let choice = 0; choice < options.n; choice++) {
    const follower = new Follower(
      base,
      options,
      { choice, whole: request.whole, toolCalls: tools.length > 0 ? toolCalls : null },
      queue,
    );
    const stop = threads.start(
      { prompt, adapter, options, seed, choice, tools, toolCalls },
      {
        token: (token) => follower.token(token, () => stop()),
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

/** Follows one completion's tokens and reports it as events. */
class Follower {
  private readonly completion: Completion;
  private gathered: TokensEvent | null = null;
  private reported = false;

  constructor(
    base: BaseModel,
    options: ResolvedOptions,
    /** `toolCalls` is null where there are none. */
    private readonly how: { choice: number; whole?: boolean; toolCalls: ToolCallForm | null },
    private readonly queue: EventQueue<GenerateEvent>,
  ) {
    const detokenizer = new Detokenizer(base.tokenizer, { skipSpecial: options.skipSpecialTokens !== false });
    this.completion = new Completion(how.choice, options, base.memory.config.endTokenIds, detokenizer);
  }

  token(token: Parameters<Completion['push']>[0][number], stop: () => void): void {
    const event = this.completion.push([token]);
    if (event) this.report(event);
    if (!this.completion.ending) return;
    this.end();
    // The thread knows end tokens and limits by itself, but not stop strings.
    stop();
  }

  end(): void {
    const { ending, text } = this.completion;
    if (this.reported || !ending) return;
    this.reported = true;
    if (this.gathered) this.queue.push(this.gathered);
    const { choice, toolCalls: form } = this.how;
    const { content, toolCalls } = form ? parseToolCalls(text, form) : { content: text, toolCalls: [] };
    const reason = toolCalls.length > 0 && ending.reason === 'stop' ? 'tool_calls' : ending.reason;
    this.queue.push({ type: 'finished', choice, reason, stop: ending.stop, toolCalls: [...toolCalls], content });
  }

  private report(event: TokensEvent): void {
    if (!this.how.whole) return this.queue.push(event);
    if (!this.gathered) this.gathered = event;
    else {
      this.gathered.tokens.push(...event.tokens);
      this.gathered.text += event.text;
    }
  }
}
