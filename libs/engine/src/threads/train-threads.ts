import { Worker } from 'node:worker_threads';
import { Compute } from '../model/compute.js';
import type { ModelMemory } from '../model/model-memory.js';
import { EngineError } from '../protocol/engine.errors.js';
import { builtFile } from '../tensor/built-file.js';
import type { TrainReply, TrainResult, TrainTask, TrainThreadData } from './train-task.js';

interface Waiting {
  /** Makes the task for the thread that takes it. */
  task: (thread: number) => TrainTask;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker | null;
  running: Waiting | null;
}

/**
 * Threads that compute training tasks, each one task at a time, in the order in which they were given. A thread that dies
 * fails its task; the next task starts a new one.
 */
export class TrainThreads {
  private readonly threads: Thread[];
  private readonly scratch: number[];
  private readonly queue: Waiting[] = [];
  private closed = false;

  constructor(
    private readonly model: ModelMemory,
    readonly count: number,
  ) {
    this.threads = Array.from({ length: count }, () => ({ worker: null, running: null }));
    this.scratch = this.threads.map(() => model.tensors.allocate(Compute.SCRATCH));
  }

  /** @throws EngineError `thread_died`, `cancelled` where the task's stop flag was set, `closed` */
  run<T extends TrainTask['type']>(make: (thread: number) => Extract<TrainTask, { type: T }>): Promise<TrainResult<T>> {
    if (this.closed) return Promise.reject(new EngineError('closed', 'the engine is closed'));
    return new Promise((resolve, reject) => {
      this.queue.push({ task: make, resolve, reject });
      this.dispatch();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const error = new EngineError('closed', 'the engine was closed');
    for (const { reject } of this.queue.splice(0)) reject(error);
    await Promise.all(
      this.threads.map(async (thread) => {
        thread.running?.reject(error);
        thread.running = null;
        await thread.worker?.terminate();
      }),
    );
    for (const address of this.scratch) this.model.tensors.release(address);
  }

  private dispatch(): void {
    for (const [index, thread] of this.threads.entries()) {
      if (thread.running || this.queue.length === 0) continue;
      const next = this.queue.shift()!;
      thread.running = next;
      thread.worker ??= this.start(index, thread);
      thread.worker.ref();
      thread.worker.postMessage(next.task(index));
    }
  }

  private start(index: number, thread: Thread): Worker {
    const data: TrainThreadData = { model: this.model.view, scratch: this.scratch[index]! };
    const worker = new Worker(builtFile('src/threads/train-thread.js'), { workerData: data });
    let cause = 'a training thread ended';
    worker.on('message', (reply: TrainReply) => this.settle(thread, reply));
    worker.on('error', (error: Error) => (cause = `a training thread died: ${error.message}`));
    worker.on('exit', () => {
      if (thread.worker !== worker) return;
      thread.worker = null;
      thread.running?.reject(new EngineError('thread_died', cause));
      thread.running = null;
      if (!this.closed) this.dispatch();
    });
    return worker;
  }

  private settle(thread: Thread, reply: TrainReply): void {
    const { running } = thread;
    thread.running = null;
    // An idle thread must not keep the process alive.
    thread.worker?.unref();
    if ('result' in reply) running?.resolve(reply.result as never);
    else if (reply.stopped) running?.reject(new EngineError('cancelled', 'the job was cancelled'));
    else running?.reject(new EngineError('thread_died', `a training thread failed: ${reply.error}`));
    this.dispatch();
  }
}
