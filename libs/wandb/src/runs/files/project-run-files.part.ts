import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BlobsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ProjectDeletionService, type ProjectPart, type ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';

const CONTENTS = `
  SELECT DISTINCT f.sha256 FROM run_files f JOIN runs r ON r.id = f.run_id WHERE r.project_id = $1`;

/** Files of a project's runs go with it; their rows go with the runs. */
@Injectable()
export class ProjectRunFilesPart implements ProjectPart, OnModuleInit {
  constructor(
    private readonly projects: ProjectDeletionService,
    private readonly blobs: BlobsService,
  ) {}

  onModuleInit(): void {
    this.projects.include(this);
  }

  async delete(manager: EntityManager, _caller: Principal, { id }: ProjectRef): Promise<(() => Promise<void>)[]> {
    const rows = await manager.query<{ sha256: string }[]>(CONTENTS, [id]);
    return [() => this.blobs.collect(rows.map(({ sha256 }) => sha256))];
  }
}
