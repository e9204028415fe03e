import { Injectable } from '@nestjs/common';
import { ArtifactFilesRepository, FileStore } from '@heddle/artifacts';
import { RL_SETTINGS, SFT_SETTINGS, type SftExample, type TrainData, type TrajectoryGroup } from '@heddle/engine';
import { NotFoundError } from '@heddle/http';
import type { ModelRef } from '@heddle/models';
import { ignoredKeys } from '../jobs/job-settings.reader.js';
import { sftExamplesOf } from '../jobs/sft/sft-lines.js';
import { readReference } from '../jobs/sft/sft-reference.js';
import { TrainingDataError } from '../training.errors.js';
import { TrainedModel } from '../trajectories/exchanges/trained-model.js';
import { TrajectoryBodies } from '../trajectories/trajectory-bodies.service.js';
import type { ClaimedJob } from './training-claims.repository.js';

export interface DataOfJob {
  /** Read while it is trained on: it is never in memory as a whole. */
  data: TrainData;
  warnings: string[];
}

/** What a job trains on, and with which settings. */
@Injectable()
export class TrainingDataService {
  constructor(
    private readonly bodies: TrajectoryBodies,
    private readonly files: ArtifactFilesRepository,
    private readonly store: FileStore,
  ) {}

  of(job: ClaimedJob, ref: ModelRef): DataOfJob {
    const given = JSON.parse(job.config) as Record<string, unknown>;
    if (job.kind === 'sft') {
      return {
        data: { kind: 'sft', examples: this.examples(job.data), config: SFT_SETTINGS.known(given) },
        warnings: [],
      };
    }
    const ignored = ignoredKeys(given);
    return {
      data: { kind: 'rl', groups: this.groups(job.data, new TrainedModel(ref)), config: RL_SETTINGS.known(given) },
      warnings: ignored.length > 0 ? [`Ignored settings: ${ignored.join(', ')}`] : [],
    };
  }

  private async *groups(path: string, model: TrainedModel): AsyncGenerator<TrajectoryGroup> {
    try {
      yield* this.bodies.groups(path, model);
    } catch (error) {
      throw error instanceof NotFoundError ? new TrainingDataError(error.message) : error;
    }
  }

  private async *examples(reference: string): AsyncGenerator<SftExample> {
    const { url, versionId, path } = readReference(reference);
    const file = await this.files.find(versionId, path);
    const content = file && (await this.store.open(file.sha256));
    if (!content) throw new TrainingDataError(`The training data ${url} was deleted`);
    let count = 0;
    for await (const example of sftExamplesOf(content)) {
      count++;
      yield example;
    }
    if (count === 0) throw new TrainingDataError(`The training data ${url} holds no example`);
  }
}
