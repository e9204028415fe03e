import { Injectable } from '@nestjs/common';
import type { TrainingJobKind } from '@heddle/database';
import {
  RL_SETTINGS,
  SFT_SETTINGS,
  type SftExample,
  type StepMetrics,
  type TrainData,
  type TrajectoryGroup,
} from '@heddle/engine';
import { NotFoundError } from '@heddle/http';
import type { ModelRef } from '@heddle/models';
import { ignoredKeys } from '../jobs/job-settings.reader.js';
import { SftFilesReader } from '../jobs/sft/sft-files.reader.js';
import { readReference } from '../jobs/sft/sft-reference.js';
import { UnknownKeys } from '../jobs/sft/unknown-keys.js';
import { TrainingDataError } from '../training.errors.js';
import { TrainedModel } from '../trajectories/exchanges/trained-model.js';
import { TrajectoryBodiesService } from '../trajectories/trajectory-bodies.service.js';
import type { ClaimedJob } from './training-claims.repository.js';

export interface DataOfJob {
  /** Read while it is trained on: it is never in memory as a whole. */
  data: TrainData;
  /** Complete once all of the data is read. */
  warnings: Iterable<string>;
  /** What of the data goes into each gradient step's metrics, likewise: the one thing that clients show while they wait. */
  metrics: () => StepMetrics;
}

/** What a job trains on, and with which settings. */
@Injectable()
export class TrainingDataService {
  constructor(
    private readonly bodies: TrajectoryBodiesService,
    private readonly files: SftFilesReader,
  ) {}

  of(job: ClaimedJob, ref: ModelRef): DataOfJob {
    const given = JSON.parse(job.config) as Record<string, unknown>;
    if (job.kind === 'sft') {
      const unknown = new UnknownKeys();
      return {
        data: { kind: 'sft', examples: this.examples(job.data, unknown), config: SFT_SETTINGS.known(given) },
        warnings: joined(ignoredSettings('sft', given), unknown),
        metrics: () => unknown.metrics,
      };
    }
    return {
      data: { kind: 'rl', groups: this.groups(job.data, new TrainedModel(ref)), config: RL_SETTINGS.known(given) },
      warnings: ignoredSettings('rl', given),
      metrics: () => ({}),
    };
  }

  private async *groups(path: string, model: TrainedModel): AsyncGenerator<TrajectoryGroup> {
    try {
      yield* this.bodies.groups(path, model);
    } catch (error) {
      if (error instanceof NotFoundError) throw new TrainingDataError(error.message);
      // Of the stack, which JSON of many levels fills.
      if (error instanceof RangeError) throw new TrainingDataError('A trajectory is nested too deeply');
      throw error;
    }
  }

  private async *examples(reference: string, unknown: UnknownKeys): AsyncGenerator<SftExample> {
    for await (const example of this.files.examples(readReference(reference))) {
      unknown.add(example);
      yield example;
    }
  }
}

function ignoredSettings(kind: TrainingJobKind, given: Record<string, unknown>): string[] {
  const ignored = ignoredKeys(given, kind);
  return ignored.length > 0 ? [`Ignored settings: ${ignored.join(', ')}`] : [];
}

/** One after the other, each when it is its turn. */
export function* joined(...parts: Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}
