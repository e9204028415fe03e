import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import type { Checkpoint } from '@heddle/database';
import type { Engine, TrainEvent } from '@heddle/engine';
import {
  type AdapterLease,
  AdapterStore,
  CheckpointNotFoundError,
  CheckpointsRepository,
  CheckpointWriter,
  hasBeenTrained,
  type ModelRef,
  ModelsRepository,
} from '@heddle/models';
import { RunWriter } from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { JobEndings } from '../jobs/job-endings.service.js';
import { JobFailedError, JobLostError } from '../training.errors.js';
import { EventWriter } from './event-writer.js';
import { JobProgress } from './job-progress.js';
import { runOf } from './run-of.js';
import { SftMetricLogService } from './sft-metric-log.service.js';
import { type ClaimedJob, HELD, holderOf, TrainingClaimsRepository } from './training-claims.repository.js';
import { joined, TrainingDataService } from './training-data.service.js';
import { TrainingProgressRepository } from './training-progress.repository.js';
import { WorkFolders } from './work-folders.service.js';

const BEGUN_ANEW = 'All checkpoints of the model were deleted: training began anew, from the base model.';
const UNTRAINED = { directory: null, release: (): void => undefined };

/** Trains one job from its start to its checkpoint, and writes what happens. */
@Injectable()
export class TrainingAttempt {
  constructor(
    private readonly models: ModelsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly adapters: AdapterStore,
    private readonly writer: CheckpointWriter,
    private readonly data: TrainingDataService,
    private readonly claims: TrainingClaimsRepository,
    private readonly progress: TrainingProgressRepository,
    private readonly folders: WorkFolders,
    private readonly runs: RunWriter,
    private readonly metricLog: SftMetricLogService,
    private readonly endings: JobEndings,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** @throws JobLostError | JobFailedError | EngineError | ApiError, and whatever the database throws */
  async run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const ref = await this.models.findById(job.modelId);
    const step = await this.dataSource.transaction((manager) => this.claims.startFrom(manager, job));
    if (!ref || step === null) throw new JobLostError(job.id);
    const adapter = step === 0 ? UNTRAINED : await this.open(ref, step);
    try {
      await this.folders.within(job.id, async (folder) => {
        const to = join(folder, 'adapter');
        await this.finish(job, ref, to, await this.train(job, ref, adapter.directory, to, signal));
      });
    } finally {
      adapter.release();
    }
  }

  /** What the job goes on from, held until it is released. */
  private async open({ model }: ModelRef, step: number): Promise<AdapterLease> {
    const checkpoint = await this.checkpoints.findByStep(model.id, step);
    if (!checkpoint) throw new CheckpointNotFoundError(model.name, `step${step}`);
    return this.adapters.open(checkpoint.versionId);
  }

  private async train(
    job: ClaimedJob,
    ref: ModelRef,
    from: string | null,
    to: string,
    signal: AbortSignal,
  ): Promise<JobProgress> {
    const { data, warnings, metrics } = this.data.of(job, ref);
    const isAnew = from === null && hasBeenTrained(ref.model);
    const progress = new JobProgress(isAnew ? joined(warnings, [BEGUN_ANEW]) : warnings, metrics);
    const writer = new EventWriter(async (events) => {
      await this.progress.add(job, events);
      await this.metricLog.note(job, ref, events);
    });
    const { baseModel: base, loraRank } = ref.model;
    const shape = loraRank === null ? {} : { rank: loraRank };
    const request = { base, from, to, seed: seedOf(job.id), shape, data };
    this.bases.find(base);
    try {
      for await (const event of this.engine.train(request, signal)) await this.note(job, progress, writer, event);
    } catch (error) {
      throw await this.bases.diagnose(base, error);
    }
    await writer.drain();
    return progress;
  }

  private async note(job: ClaimedJob, progress: JobProgress, writer: EventWriter, event: TrainEvent): Promise<void> {
    const told = progress.add(event);
    if (event.type === 'step') return writer.add(told!);
    if (event.type === 'ended') return;
    const { numSequences } = event;
    if (job.numSequences !== null && job.numSequences !== numSequences) {
      // Clients were told another number, and have seen steps of what is not repeated now.
      throw new JobFailedError(`It has ${numSequences} steps now and had ${job.numSequences} before: send it again`);
    }
    await this.progress.start(job, numSequences, told!);
  }

  /** Checkpoint, metrics, state and last event are there at once. */
  private async finish(job: ClaimedJob, ref: ModelRef, adapter: string, progress: JobProgress): Promise<void> {
    const actor = { userId: job.createdById, username: job.createdBy };
    const { metrics } = progress;
    const end = async (manager: EntityManager, { step }: Checkpoint): Promise<void> => {
      const condition = { sql: HELD, values: holderOf(job) };
      if (!(await this.endings.end(manager, condition, progress.endingAt(step)))) throw new JobLostError(job.id);
      // Somebody may have deleted it since.
      const runId = await runOf(manager, job.modelId);
      if (runId !== null) await this.runs.logMetrics(manager, actor, ref.project, runId, [{ step, metrics }]);
    };
    await this.writer.write({ ref, actor, jobId: job.id, metrics }, adapter, end);
  }
}

/** 32 bits of the job's id: every attempt has the same. */
const seedOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16);
