import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ProjectDeletionService, type ProjectPart, type ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';
import { type AfterDeletion, ModelDeletionService } from './model-deletion.service.js';
import { ModelsRepository } from './models.repository.js';

/** A project's models go with it, each as if it were deleted by itself. */
@Injectable()
export class ProjectModelsPart implements ProjectPart, OnModuleInit {
  constructor(
    private readonly projects: ProjectDeletionService,
    private readonly models: ModelsRepository,
    private readonly deletion: ModelDeletionService,
  ) {}

  onModuleInit(): void {
    this.projects.include(this);
  }

  async delete(manager: EntityManager, caller: Principal, project: ProjectRef): Promise<AfterDeletion[]> {
    const after: AfterDeletion[] = [];
    for (const model of await this.models.findAllIn(manager, project.id)) {
      after.push(...(await this.deletion.deleteRows(manager, caller, { model, project })).after);
    }
    return after;
  }
}
