import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { BaseModelsService, InjectEngine } from '@heddle/base-models';
import { type Checkpoint, waitOut } from '@heddle/database';
import { type Engine, klReferenceStep, RL_SETTINGS, type TrainEvent, type TrainRequest } from '@heddle/engine';
import {
  AdapterStore,
  CheckpointNotFoundError,
  CheckpointsRepository,
  CheckpointWriter,
  hasBeenTrained,
  type ModelRef,
  type OpenAdapter,
  ModelsRepository,
} from '@heddle/models';
import { RunWriter } from '@heddle/runs';
import { meanReward, trainedTokens } from '@heddle/metrics';
import type { DataSource, EntityManager } from 'typeorm';
import { JobEndingsService } from '../jobs/job-endings.service.js';
import { JobFailedError, JobLostError } from '../training.errors.js';
import { EventWriter } from './event-writer.js';
import { JobProgress } from './job-progress.js';
import { runOf } from './run-of.js';
import { SftMetricLogService } from './sft-metric-log.service.js';
import { type ClaimedJob, HELD, holderOf, TrainingClaimsRepository } from './training-claims.repository.js';
import { joined, TrainingDataService } from './training-data.service.js';
import { TrainingProgressRepository } from './training-progress.repository.js';
import { WorkFoldersService } from './work-folders.service.js';

const BEGUN_ANEW = 'All checkpoints of the model were deleted: training began anew, from the base model.';
const UNTRAINED: OpenAdapter = { directory: null, release: (): void => undefined };

/**
 * Trains one job from its start to its checkpoint, and writes what happens. While the database is away it trains on, or waits:
 * whatever is written may be written twice.
 */
@Injectable()
export class TrainingAttemptService {
  constructor(
    private readonly models: ModelsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly adapters: AdapterStore,
    private readonly writer: CheckpointWriter,
    private readonly data: TrainingDataService,
    private readonly claims: TrainingClaimsRepository,
    private readonly progress: TrainingProgressRepository,
    private readonly folders: WorkFoldersService,
    private readonly runs: RunWriter,
    private readonly metricLog: SftMetricLogService,
    private readonly endings: JobEndingsService,
    private readonly bases: BaseModelsService,
    @InjectEngine() private readonly engine: Engine,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** @throws JobLostError | JobFailedError | EngineError | ApiError, and whatever the database throws */
  async run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const ref = await waitOut(() => this.models.findById(job.modelId), signal);
    if (!ref) throw new JobLostError(job.id);
    const step = await waitOut(() => this.start(job, ref), signal);
    if (step === null) throw new JobLostError(job.id);
    const adapter = await waitOut(() => this.open(ref, step), signal);
    let reference = UNTRAINED;
    try {
      reference = await waitOut(() => this.openReference(job, ref, step), signal);
      await this.folders.within(job.id, async (folder) => {
        const to = join(folder, 'adapter');
        const adapters = { from: adapter.directory, to, klReference: reference.directory };
        const progress = await this.train(job, ref, adapters, signal);
        await waitOut(() => this.finish(job, ref, to, progress), signal);
      });
      await this.folders.forgetState(job.id);
    } finally {
      adapter.release();
      reference.release();
    }
  }

  /** Fixes what the job goes on from. The model's run goes on with it, which a client may have ended. */
  private start(job: ClaimedJob, ref: ModelRef): Promise<number | null> {
    return this.dataSource.transaction(async (manager) => {
      const step = await this.claims.startFrom(manager, job);
      const runId = step === null ? null : await runOf(manager, job.modelId);
      const actor = { userId: job.createdById, username: job.createdBy };
      if (runId !== null) await this.runs.update(manager, actor, ref.project, runId, { state: 'RUNNING' });
      return step;
    });
  }

  /** What the job goes on from, held until it is released. */
  private async open({ model }: ModelRef, step: number): Promise<OpenAdapter> {
    if (step === 0) return UNTRAINED;
    const checkpoint = await this.checkpoints.findByStep(model.id, step);
    if (!checkpoint) throw new CheckpointNotFoundError(model.name, `step${step}`);
    return this.adapters.open(checkpoint.versionId);
  }

  /** What its KL penalty compares with: somebody may have deleted it by force. */
  private async openReference(job: ClaimedJob, ref: ModelRef, fromStep: number): Promise<OpenAdapter> {
    if (job.kind !== 'rl') return UNTRAINED;
    const config = RL_SETTINGS.known(JSON.parse(job.config) as Record<string, unknown>);
    const step = klReferenceStep(config, fromStep) ?? 0;
    try {
      return await this.open(ref, step);
    } catch (error) {
      if (!(error instanceof CheckpointNotFoundError)) throw error;
      throw new JobFailedError(`The KL penalty compares with step ${step}, whose checkpoint is deleted`);
    }
  }

  private async train(
    job: ClaimedJob,
    ref: ModelRef,
    adapters: Pick<TrainRequest, 'from' | 'to' | 'klReference'>,
    signal: AbortSignal,
  ): Promise<JobProgress> {
    const { data, warnings, metrics } = this.data.of(job, ref);
    const isAnew = adapters.from === null && hasBeenTrained(ref.model);
    const progress = new JobProgress(isAnew ? joined(warnings, [BEGUN_ANEW]) : warnings, metrics);
    const writer = new EventWriter(async (events) => {
      const added = await waitOut(() => this.progress.add(job, events), signal);
      // Steps that an earlier attempt told are not news.
      const news = events.filter(({ position }) => added.includes(position));
      await waitOut(() => this.metricLog.note(job, ref, news), signal);
    });
    const { baseModel: base, loraRank } = ref.model;
    const shape = loraRank === null ? {} : { rank: loraRank };
    const request = { base, ...adapters, state: this.folders.stateOf(job.id), seed: seedOf(job.id), shape, data };
    this.bases.find(base);
    try {
      for await (const event of this.engine.train(request, signal)) {
        await this.note(job, progress, writer, event, signal);
      }
    } catch (error) {
      // The steps before it were done, and are told.
      await writer.drain().catch(() => undefined);
      throw await this.bases.diagnose(base, error);
    }
    await writer.drain();
    return progress;
  }

  private async note(
    job: ClaimedJob,
    progress: JobProgress,
    writer: EventWriter,
    event: TrainEvent,
    signal: AbortSignal,
  ): Promise<void> {
    const told = progress.add(event);
    if (event.type === 'step') {
      trainedTokens.inc({ kind: job.kind }, event.metrics['num_tokens'] ?? 0);
      return writer.add(told!);
    }
    if (event.type === 'ended') return;
    const { numSequences } = event;
    if (job.numSequences !== null && job.numSequences !== numSequences) {
      // Clients were told another number, and have seen steps of what is not repeated now.
      throw new JobFailedError(`It has ${numSequences} steps now and had ${job.numSequences} before: send it again`);
    }
    await waitOut(() => this.progress.start(job, numSequences, told!), signal);
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
    const reward = metrics['train/reward'];
    if (job.kind === 'rl' && reward !== undefined) meanReward.set(reward);
  }
}

/** 32 bits of the job's id: every attempt has the same. */
const seedOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16);
