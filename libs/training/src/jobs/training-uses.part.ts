import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TrainingJob } from '@heddle/database';
import { type CheckpointUse, type CheckpointUser, CheckpointUsesRegistry } from '@heddle/models';
import { type EntityManager, In } from 'typeorm';
import { checkpointNeeds } from './checkpoint-needs.js';

/** Says which checkpoints jobs need, so that nobody deletes them meanwhile. */
@Injectable()
export class TrainingUsesPart implements CheckpointUser, OnModuleInit {
  constructor(private readonly uses: CheckpointUsesRegistry) {}

  onModuleInit(): void {
    this.uses.include(this);
  }

  async usesOf(manager: EntityManager, modelId: string, latest: number): Promise<CheckpointUse[]> {
    const states = In(['RUNNING', 'QUEUED'] as const);
    // In the order in which they run: of those that have begun there is one.
    const jobs = await manager.find(TrainingJob, {
      where: { modelId, state: states },
      order: { state: 'DESC', sequence: 'ASC' },
    });
    return checkpointNeeds(jobs, latest);
  }
}
