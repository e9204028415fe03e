import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../files/durable-write.js';
import type { StepMetrics, TrainEvent } from '../protocol/train.js';
import type { KeepingTrainer } from '../training/trainer.js';

/** A job that is interrupted loses at most what it has learnt in so many milliseconds, and the step that it was at. */
export const KEEP_EVERY_MS = 15_000;

/** What a job had learnt when its state was kept. */
interface KeptState<State> {
  weights: State;
  /** Of the steps that are done. */
  steps: StepMetrics[];
}

/** Reads what a trainer saved in a directory; throws where it can't be read. */
export type StateReader<State> = (directory: string) => Promise<State>;

/**
 * The steps of a job, with its state in a directory from time to time: `step-N` is a whole adapter with its optimiser
 * after N steps, and `step-N.json`, written before it, what those steps measured. The same job that is begun again goes on
 * from the last of them, to the same weights: a step depends on nothing but the weights before it and its data.
 */
export class KeptSteps<State> {
  private keptAt = performance.now();

  private constructor(
    private readonly directory: string | undefined,
    private readonly state: KeptState<State> | null,
    private readonly everyMs: number,
  ) {}

  /** @param directory where nothing is kept yet, or what the same job kept; undefined: nothing is kept */
  static async open<State>(
    directory: string | undefined,
    read: StateReader<State>,
    everyMs = KEEP_EVERY_MS,
  ): Promise<KeptSteps<State>> {
    return new KeptSteps(directory, directory === undefined ? null : await readNewest(directory, read), everyMs);
  }

  /** What the steps measured that need not be computed again. */
  get done(): readonly StepMetrics[] {
    return this.state?.steps ?? [];
  }

  /**
   * Tells the steps that are done, then does the others.
   * @param trainer with the weights that the job starts from
   * @returns what all steps measured
   */
  async *run<Row>(
    rows: readonly Row[],
    trainer: KeepingTrainer<State>,
    step: (row: Row) => Promise<StepMetrics>,
  ): AsyncGenerator<TrainEvent, StepMetrics[]> {
    const all: StepMetrics[] = [];
    for (const metrics of this.done) {
      yield { type: 'step', index: all.length, metrics };
      all.push(metrics);
    }
    if (this.state) await trainer.restore(this.state.weights);
    for (const row of rows.slice(all.length)) {
      const metrics = await step(row);
      yield { type: 'step', index: all.length, metrics };
      all.push(metrics);
      if (all.length < rows.length) await this.keep(trainer, all);
    }
    return all;
  }

  private async keep(trainer: KeepingTrainer<State>, steps: readonly StepMetrics[]): Promise<void> {
    if (this.directory === undefined || performance.now() - this.keptAt < this.everyMs) return;
    try {
      await mkdir(this.directory, { recursive: true });
      const path = join(this.directory, `step-${steps.length}`);
      await writeWholeFile(`${path}.json`, (file) => file.writeFile(JSON.stringify(steps)));
      await trainer.save(path);
      for (const older of await keptIn(this.directory)) if (older < steps.length) await forget(this.directory, older);
    } catch {
      // A full disk, or another process at the same job: training does not depend on it, and the next one may be kept.
    }
    this.keptAt = performance.now();
  }
}

/** Null where there is none that can be read. */
async function readNewest<State>(directory: string, read: StateReader<State>): Promise<KeptState<State> | null> {
  for (const count of await keptIn(directory)) {
    try {
      const path = join(directory, `step-${count}`);
      const steps = readSteps(await readFile(`${path}.json`, 'utf8'));
      if (steps.length === count) return { weights: await read(path), steps };
    } catch {
      // An older one, or the beginning, serves as well.
    }
  }
  return null;
}

/** Numbers of steps after which the state was kept, the last first. */
async function keptIn(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .flatMap((name) => /^step-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

async function forget(directory: string, count: number): Promise<void> {
  await rm(join(directory, `step-${count}`), { recursive: true, force: true });
  await rm(join(directory, `step-${count}.json`), { force: true });
}

/** JSON has null for a number that is not finite. */
function readSteps(text: string): StepMetrics[] {
  const steps = JSON.parse(text) as Record<string, number | null>[];
  return steps.map((step) => Object.fromEntries(Object.entries(step).map(([name, value]) => [name, value ?? NaN])));
}
