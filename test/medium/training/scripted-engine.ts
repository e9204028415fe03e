import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BaseModelInfo,
  type Engine,
  EngineError,
  type GenerateEvent,
  type StepMetrics,
  type TrainEvent,
  type TrainRequest,
} from '@heddle/engine';

const FILES = ['adapter_config.json', 'adapter_model.safetensors', 'optimizer.safetensors'];

export interface Training {
  request: TrainRequest;
  /** Groups or examples, as the engine read them. */
  items: unknown[];
  /** Steps that were given out. */
  steps: number;
  aborted: boolean;
  /** The step before which it waits; null where nothing holds it. */
  heldAt: number | null;
}

/**
 * An engine that a test holds in its hand: it "trains" by hashing, one step for each group or example, and stops before any
 * step for as long as the test wants. Only for what needs such control: crashes, order and cancellation in the middle of a
 * job. All else is tested with the engine that ships.
 */
export class ScriptedEngine implements Engine {
  readonly trainings: Training[] = [];
  private holding: number | null = null;
  private released = new EventTarget();
  /** Thrown before the step in the same place. */
  failure: { step: number; error: Error } | null = null;
  /** Adds to the number of steps of every later training: an engine that breaks its word. */
  extraSteps = 0;

  baseModels(): readonly BaseModelInfo[] {
    const sizes = { contextLength: 512, parameters: 1000, vocabularySize: 256, memoryBytes: 4000 };
    const info = {
      family: 'llama',
      engine: 'embedded' as const,
      ...sizes,
      sampling: {},
      lora: { rank: 8, alpha: 512 },
      directory: '/nowhere',
    };
    return ['heddle/shuttle-1m', 'heddle/scripted'].map((id) => ({ id, ...info }));
  }

  encode(): Promise<number[]> {
    return Promise.resolve([]);
  }

  checkAdapter(): void {
    // It takes adapters of any shape.
  }

  /** Every training that begins from now on waits before this step, from 0; one beyond the last is the end. */
  holdAt(step: number): void {
    this.holding = step;
  }

  /** Those that wait go on waiting, but no others will. */
  holdNoMore(): void {
    this.holding = null;
  }

  release(): void {
    this.holding = null;
    for (const training of this.trainings) training.heldAt = null;
    this.released.dispatchEvent(new Event('release'));
  }

  reset(): void {
    this.release();
    this.trainings.length = 0;
    this.failure = null;
    this.extraSteps = 0;
  }

  async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent> {
    const training: Training = { request, items: [], steps: 0, aborted: false, heldAt: this.holding };
    this.trainings.push(training);
    try {
      const { data } = request;
      for await (const item of data.kind === 'rl' ? data.groups : data.examples) training.items.push(item);
      const text = JSON.stringify(training.items) + request.seed;
      const numSequences = this.skipsAll(request, training.items) ? 0 : training.items.length + this.extraSteps;
      const metrics = { num_trajectories: training.items.length, reward: 0.5 };
      yield { type: 'started', numSequences, warnings: [], metrics };
      for (let index = 0; index < numSequences; index++) {
        await this.pass(training, index, signal);
        yield { type: 'step', index, metrics: stepMetrics(text, index) };
        training.steps++;
      }
      await this.pass(training, numSequences, signal);
      await writeAdapter(request, numSequences === 0 ? '' : text);
      yield {
        type: 'ended',
        metrics: { tokens_per_second: 1 },
        reason: numSequences === 0 ? 'All rewards equal' : null,
      };
    } catch (error) {
      training.aborted = signal?.aborted ?? false;
      await rm(request.to, { recursive: true, force: true });
      throw error;
    }
  }

  async *generate(): AsyncGenerator<GenerateEvent> {
    throw new EngineError('invalid_request', 'The scripted engine samples nothing');
  }

  async close(): Promise<void> {}

  private async pass(training: Training, step: number, signal?: AbortSignal): Promise<void> {
    while (training.heldAt !== null && step >= training.heldAt) {
      signal?.throwIfAborted();
      await Promise.race([once(this.released as never, 'release'), signal ? once(signal as never, 'abort') : never]);
      if (signal?.aborted) throw new EngineError('cancelled', 'cancelled');
    }
    if (this.failure?.step === step) throw this.failure.error;
  }

  private skipsAll({ data }: TrainRequest, items: unknown[]): boolean {
    return data.kind === 'rl' && items.every((group) => (group as { trajectories: unknown[] }).trajectories.length < 2);
  }
}

const never = new Promise<never>(() => undefined);

const stepMetrics = (text: string, index: number): StepMetrics => ({
  policy_loss: createHash('sha256').update(`${text} ${index}`).digest().readUInt32BE() / 2 ** 32,
  grad_norm: 0.1,
});

/** The same request gives the same files; nothing to learn gives those that it began with. */
async function writeAdapter({ from, to }: TrainRequest, learnt: string): Promise<void> {
  await mkdir(to);
  for (const name of FILES) {
    const before = from ? await readFile(join(from, name), 'utf8') : `${name}\n`;
    await writeFile(
      join(to, name),
      learnt === ''
        ? before
        : createHash('sha256')
            .update(before + learnt)
            .digest('hex'),
    );
  }
}
