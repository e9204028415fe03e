import type { StepMetrics, TrainEvent } from '@heddle/engine';
import type { Ending } from '../jobs/job-endings.service.js';
import { StepAverages, trainMetrics } from './step-averages.js';
import type { NewEvent } from './training-progress.repository.js';

/** Gathers what an engine tells of one training, and turns it into the events that the job's user sees. */
export class JobProgress {
  private readonly averages = new StepAverages();
  private whole: StepMetrics = {};
  private reason: string | null = null;

  /**
   * @param warnings beside those of the engine; read once the engine has read its data
   * @param more goes with the metrics of each gradient step
   */
  constructor(
    private readonly warnings: Iterable<string>,
    private readonly more: () => StepMetrics = () => ({}),
  ) {}

  /** @returns null for the end, which is told with its checkpoint */
  add(event: TrainEvent): NewEvent | null {
    const metrics = finite(event.metrics);
    if (event.type === 'step') {
      this.averages.add(metrics);
      return { position: event.index + 1, type: 'gradient_step', data: { ...metrics, ...this.more() } };
    }
    Object.assign(this.whole, metrics);
    if (event.type === 'ended') {
      this.reason = event.reason;
      return null;
    }
    const warnings = [...this.warnings, ...event.warnings];
    const data = { ...metrics, num_sequences: event.numSequences, ...(warnings.length > 0 && { warnings }) };
    return { position: 0, type: 'training_started', data };
  }

  /** For the checkpoint and the model's run. */
  get metrics(): StepMetrics {
    return trainMetrics(this.averages.means, this.whole);
  }

  /** @param step of the new checkpoint */
  endingAt(step: number): Ending {
    const data = { step, ...this.whole, ...(this.reason !== null && { reason: this.reason }) };
    return { state: 'FINISHED', error: null, step, event: { type: 'training_ended', data } };
  }
}

/** Clients read a number from each, and JSON has none for what is not finite. */
const finite = (metrics: StepMetrics): StepMetrics =>
  Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)));
