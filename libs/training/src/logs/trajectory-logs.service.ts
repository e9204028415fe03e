import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { TrajectoryLog } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import {
  CheckpointsRepository,
  ModelAccessService,
  ModelNotFoundError,
  type ModelRef,
  ModelsRepository,
} from '@heddle/models';
import { RunWriter } from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { TrajectoryBodiesService } from '../trajectories/trajectory-bodies.service.js';
import type { StoredTrajectories } from '../trajectories/trajectory-body.js';
import { TrajectoryLogNotFoundError } from '../trajectories/trajectories.errors.js';
import { readSplit } from './split.js';
import { type TrajectoryLogFilter, TrajectoryLogsRepository } from './trajectory-logs.repository.js';

/** What users log of their trajectories: members write, viewers read. */
@Injectable()
export class TrajectoryLogsService {
  constructor(
    private readonly access: ModelAccessService,
    private readonly models: ModelsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly logs: TrajectoryLogsRepository,
    private readonly bodies: TrajectoryBodiesService,
    private readonly runs: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Keeps the trajectories, and records their metrics at the model's step. @throws ValidationError */
  async log(caller: Principal, modelId: string, bytes: Buffer): Promise<TrajectoryLog> {
    const ref = await this.access.find(caller, modelId, 'member');
    const body = await this.bodies.read(bytes);
    const split = readSplit(body.root);
    const stored = await this.bodies.store(body, 'gzip');
    try {
      return await this.dataSource.transaction((manager) => this.record(manager, caller, ref, split, stored));
    } catch (error) {
      await this.bodies.remove([stored.path]);
      throw error;
    }
  }

  async list(
    caller: Principal,
    modelId: string,
    filter: TrajectoryLogFilter,
    query: PageQuery,
  ): Promise<TrajectoryLog[]> {
    const { model } = await this.access.find(caller, modelId);
    return this.logs.findPage(model.id, filter, query);
  }

  async get(caller: Principal, modelId: string, id: string): Promise<TrajectoryLog> {
    const { model } = await this.access.find(caller, modelId);
    const log = await this.logs.find(model.id, id);
    if (!log) throw new TrajectoryLogNotFoundError(id);
    return log;
  }

  private async record(
    manager: EntityManager,
    caller: Principal,
    { model: { id }, project }: ModelRef,
    split: string,
    { path, statistics }: StoredTrajectories,
  ): Promise<TrajectoryLog> {
    // No checkpoint comes or goes meanwhile.
    const model = await this.models.lock(manager, id);
    if (!model) throw new ModelNotFoundError(id);
    const checkpoint = await this.checkpoints.findLatest(id, manager);
    const step = checkpoint?.step ?? 0;
    const metrics = statistics.metricsOf(split);
    if (model.runId !== null) {
      await this.runs.logMetrics(manager, caller, project, model.runId, [{ step, metrics }]);
    }
    if (checkpoint) await this.checkpoints.addMetrics(manager, checkpoint, metrics);
    const { groups, trajectories, exceptions } = statistics;
    const text = JSON.stringify(metrics);
    const fields = { modelId: id, split, step, path, groups, trajectories, exceptions, metrics: text };
    return manager.save(manager.create(TrajectoryLog, { ...fields, createdBy: caller.username }));
  }
}
