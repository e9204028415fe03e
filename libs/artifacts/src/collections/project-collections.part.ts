import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ProjectDeletionService, type ProjectPart, type ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';
import { BlobsService } from '../storage/blobs.service.js';
import { ArtifactWriter } from '../writing/artifact.writer.js';
import { collectionRef, placeOfProject } from './collection-ref.js';
import { CollectionsRepository } from './collections.repository.js';

/** A project's collections go with it, their files too. */
@Injectable()
export class ProjectCollectionsPart implements ProjectPart, OnModuleInit {
  constructor(
    private readonly projects: ProjectDeletionService,
    private readonly collections: CollectionsRepository,
    private readonly writer: ArtifactWriter,
    private readonly blobs: BlobsService,
  ) {}

  onModuleInit(): void {
    this.projects.include(this);
  }

  async delete(manager: EntityManager, _caller: Principal, project: ProjectRef): Promise<(() => Promise<void>)[]> {
    const contents: string[] = [];
    for (const collection of await this.collections.findAll(manager, { projectId: project.id })) {
      contents.push(
        ...(await this.writer.deleteCollection(manager, collectionRef(collection, placeOfProject(project)))),
      );
    }
    return [() => this.blobs.collect([...new Set(contents)])];
  }
}
