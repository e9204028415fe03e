import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { DeletedTraceProject } from '@heddle/database';
import { ProjectDeletionService, type ProjectPart, type ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';

/**
 * A project's traces go with it. Without the project nobody finds them; there may be millions of them, so that a worker
 * deletes them afterwards.
 */
@Injectable()
export class ProjectTracesPart implements ProjectPart, OnModuleInit {
  constructor(private readonly projects: ProjectDeletionService) {}

  onModuleInit(): void {
    this.projects.include(this);
  }

  async delete(manager: EntityManager, _caller: Principal, { id }: ProjectRef): Promise<[]> {
    await manager.insert(DeletedTraceProject, { projectId: id });
    return [];
  }
}
