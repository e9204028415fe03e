import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { TrainingJob, TrajectoryLog } from '@heddle/database';
import { type AfterDeletion, ModelDeletionService, type ModelPart, type ModelRef } from '@heddle/models';
import { type EntityManager, In } from 'typeorm';
import { TrajectoryBodiesService } from '../trajectories/trajectory-bodies.service.js';
import { JobNewsService } from './job-news.service.js';

/** A model's jobs and trajectories go with it; jobs that are not over are cancelled. */
@Injectable()
export class ModelTrainingPart implements ModelPart, OnModuleInit {
  constructor(
    private readonly deletion: ModelDeletionService,
    private readonly bodies: TrajectoryBodiesService,
    private readonly news: JobNewsService,
  ) {}

  onModuleInit(): void {
    this.deletion.include(this);
  }

  /** Its rows go with the model's. Workers find that the job is gone, and stop. */
  async delete(manager: EntityManager, caller: Principal, { model: { id } }: ModelRef): Promise<AfterDeletion> {
    const logs = await manager.findBy(TrajectoryLog, { modelId: id });
    const jobs = await manager.findBy(TrainingJob, { modelId: id, kind: 'rl' });
    const open = await manager.findBy(TrainingJob, { modelId: id, state: In(['QUEUED', 'RUNNING'] as const) });
    for (const job of open) await this.news.publish(manager, caller, { ...job, step: null }, 'CANCELLED');
    return () => this.bodies.remove([...logs.map(({ path }) => path), ...jobs.map(({ data }) => data)]);
  }
}
