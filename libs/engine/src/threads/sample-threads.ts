import { Worker } from 'node:worker_threads';
import { Compute } from '../model/compute.js';
import { DecodePass } from '../model/decode-pass.js';
import type { ModelConfig } from '../model/model-config.js';
import type { ModelMemory } from '../model/model-memory.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { PromptToken, SampledToken } from '../protocol/generate.js';
import { PromptBoard } from '../scheduling/prompt-board.js';
import type { PromptOffer } from '../scheduling/divided-prompt.js';
import { STEP_ROWS, STEP_SEQUENCES } from '../scheduling/sample-scheduler.js';
import { builtFile } from '../tensor/built-file.js';
import { ALIGNMENT } from '../tensor/free-list.js';
import type { TensorRoom } from '../tensor/tensor-room.js';
import type { SampleCommand, SampleMessage, SampleOutcome, SampleSpec, SampleThreadData } from './sample-task.js';

/** Who waits for a completion. Called in order; `end` is the last call. */
export interface SampleListener {
  token(token: SampledToken): void;
  /** Of a prompt that is scored. */
  scored?(tokens: readonly PromptToken[]): void;
  end(error: EngineError | null): void;
}

interface Thread {
  worker: Worker | null;
  /** Go to the worker together, after the requests that this turn of the event loop reads: see {@link SampleThreads.send}. */
  commands: SampleCommand[];
  data: SampleThreadData;
  /** Of the prompt that it last shared with others, or was asked to help with. */
  board: SharedArrayBuffer | null;
  listeners: Map<number, SampleListener>;
}

export interface SampleThreadsOptions {
  count: number;
  /** For all threads: so many times {@link SampleThreads.bytes}. */
  room: TensorRoom;
  /** The largest LoRA rank that is served. */
  maxRank: number;
  vocabulary: SampleThreadData['vocabulary'];
}

/**
 * Completions more than on the idlest thread beyond which one goes there and not where its like are: computing a prompt
 * again must be worth it, and a batch costs less than its sequences one by one.
 */
const imbalance = (promptTokens: number): number => 2 + promptTokens / 128;

/**
 * Threads that sample. Completions of the same prompt go to the same thread, which computes the prompt once; those that have
 * nothing to do help it where the prompt is long.
 */
export class SampleThreads {
  private readonly threads: Thread[];
  private nextId = 1;
  private closed = false;

  constructor(model: ModelMemory, options: SampleThreadsOptions) {
    const { config, view } = model;
    const { room, count, maxRank } = options;
    const arenaBytes = DecodePass.bytes(config, STEP_ROWS, STEP_SEQUENCES, maxRank);
    const cacheBytes = room.bytes / count - SampleThreads.bytes(config, 0, maxRank);
    this.threads = Array.from({ length: count }, (_, thread) => ({
      worker: null,
      board: null,
      commands: [],
      listeners: new Map(),
      data: {
        model: view,
        scratch: room.allocate(Compute.SCRATCH),
        arena: { address: room.reserve(arenaBytes), bytes: arenaBytes },
        caches: { address: room.reserve(cacheBytes), bytes: cacheBytes },
        vocabulary: options.vocabulary,
        endTokenIds: config.endTokenIds,
        thread,
        threads: count,
      },
    }));
  }

  /** Of memory that one thread takes, with so many bytes for the caches of its sequences. */
  static bytes(config: ModelConfig, cacheBytes: number, maxRank: number): number {
    const parts = [Compute.SCRATCH, DecodePass.bytes(config, STEP_ROWS, STEP_SEQUENCES, maxRank), cacheBytes];
    return parts.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0);
  }

  /** Completions under way. */
  get active(): number {
    return this.threads.reduce((sum, { listeners }) => sum + listeners.size, 0);
  }

  /** @returns what stops it; `end` is still called. */
  start(spec: Omit<SampleSpec, 'id'>, listener: SampleListener): () => void {
    if (this.closed) {
      listener.end(new EngineError('closed', 'the engine is closed'));
      return () => undefined;
    }
    const id = this.nextId++;
    const thread = this.threadFor(spec);
    (thread.worker ??= this.launch(thread)).ref();
    thread.listeners.set(id, listener);
    this.send(thread, { type: 'start', spec: { ...spec, id } });
    return () => thread.listeners.has(id) && this.send(thread, { type: 'stop', id });
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      this.threads.map(async (thread) => {
        this.abandon(thread, new EngineError('closed', 'the engine was closed'));
        await thread.worker?.terminate();
      }),
    );
  }

  private threadFor({ prompt, adapter }: Omit<SampleSpec, 'id'>): Thread {
    const idlest = this.threads.reduce((best, thread) => (thread.listeners.size < best.listeners.size ? thread : best));
    const hash = prompt.reduce((sum, token) => (Math.imul(sum, 31) + token) | 0, adapter?.key ?? 0);
    const home = this.threads[(hash >>> 0) % this.threads.length]!;
    return home.listeners.size > idlest.listeners.size + imbalance(prompt.length) ? idlest : home;
  }

  private launch(thread: Thread): Worker {
    const worker = new Worker(builtFile('src/threads/sample-thread.js'), { workerData: thread.data });
    let cause = 'a sampling thread ended';
    worker.on('message', (message: SampleMessage) => {
      if ('help' in message) return this.askForHelp(thread, message.help);
      for (const outcome of message) this.settle(thread, outcome);
      // An idle thread must not keep the process alive.
      if (thread.listeners.size === 0) worker.unref();
    });
    worker.on('error', (error: Error) => (cause = `a sampling thread died: ${error.message}`));
    worker.on('exit', () => {
      if (thread.worker !== worker) return;
      thread.worker = null;
      if (thread.board) new PromptBoard(thread.board).lost(thread.data.thread);
      this.abandon(thread, new EngineError('thread_died', cause));
    });
    return worker;
  }

  /** Of the threads that have nothing to do. */
  private askForHelp(asking: Thread, offer: PromptOffer): void {
    asking.board = offer.board;
    for (const thread of this.threads) {
      if (this.closed || thread.listeners.size > 0) continue;
      if (!thread.worker) (thread.worker = this.launch(thread)).unref();
      thread.board = offer.board;
      this.send(thread, { type: 'help', offer });
    }
  }

  private settle(thread: Thread, outcome: SampleOutcome): void {
    const listener = thread.listeners.get(outcome.id);
    if (outcome.type === 'token') return listener?.token(outcome.token);
    if (outcome.type === 'scored') return listener?.scored?.(outcome.tokens);
    thread.listeners.delete(outcome.id);
    if (outcome.type === 'done') listener?.end(null);
    else listener?.end(new EngineError(outcome.code, outcome.message, outcome.param));
  }

  private abandon(thread: Thread, error: EngineError): void {
    const listeners = [...thread.listeners.values()];
    thread.listeners.clear();
    thread.commands = [];
    for (const listener of listeners) listener.end(error);
  }

  /** Requests come in bursts: a thread that is woken once for many computes them as one batch from the start. */
  private send(thread: Thread, command: SampleCommand): void {
    if (thread.commands.push(command) > 1) return;
    setImmediate(() => {
      if (thread.commands.length > 0) thread.worker?.postMessage(thread.commands);
      thread.commands = [];
    });
  }
}
