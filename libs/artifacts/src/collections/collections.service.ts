import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { type ArtifactCollection, ArtifactVersion, type PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { ProjectAccessService, type ProjectName } from '@heddle/projects';
import type { DataSource } from 'typeorm';
import { ArtifactWriter } from '../writing/artifact.writer.js';
import { CollectionExistsError, CollectionNotFoundError, LabelNotFoundError } from '../artifacts.errors.js';
import { BlobsService } from '../storage/blobs.service.js';
import { type CollectionRef, collectionRef, placeOfProject } from './collection-ref.js';
import {
  type CollectionChanges,
  type CollectionFilter,
  CollectionsRepository,
  type NewCollection,
  type TaggedCollection,
} from './collections.repository.js';
import { DeletionGuardRegistry } from '../versions/deletion-guard.registry.js';
import { LabelWriter } from '../writing/label.writer.js';

export interface CollectionName extends ProjectName {
  collection: string;
}

/** A project's collections as its users see them: viewers read, members write. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly collections: CollectionsRepository,
    private readonly writer: ArtifactWriter,
    private readonly labels: LabelWriter,
    private readonly blobs: BlobsService,
    private readonly guards: DeletionGuardRegistry,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async create(caller: Principal, name: ProjectName, fields: NewCollection): Promise<TaggedCollection> {
    const project = await this.access.requireRole(caller, name, 'member');
    const { manager } = this.dataSource;
    if (!(await this.collections.insert(manager, { projectId: project.id }, fields, caller.username))) {
      throw new CollectionExistsError(fields.name, placeName(name));
    }
    return this.get(caller, { ...name, collection: fields.name });
  }

  async list(
    caller: Principal,
    name: ProjectName,
    filter: CollectionFilter,
    query: PageQuery,
  ): Promise<TaggedCollection[]> {
    const project = await this.access.get(caller, name);
    return this.collections.findPage({ projectId: project.id }, filter, query);
  }

  async get(caller: Principal, name: CollectionName): Promise<TaggedCollection> {
    const { entity } = await this.find(caller, name, 'viewer');
    const [tagged] = await this.collections.withTags([entity]);
    return tagged!;
  }

  /** Changes what is named. */
  async update(caller: Principal, name: CollectionName, changes: CollectionChanges): Promise<TaggedCollection> {
    const { entity } = await this.find(caller, name, 'member');
    await this.collections.update(entity.id, changes);
    return this.get(caller, name);
  }

  /** @param force deletes also what another feature needs */
  async delete(caller: Principal, name: CollectionName, force: boolean): Promise<void> {
    const { ref } = await this.find(caller, name, 'member');
    const contents = await this.dataSource.transaction(async (manager) => {
      if (!force) {
        const versions = await manager.findBy(ArtifactVersion, { collectionId: ref.id });
        await this.guards.requireDeletable(manager, { versionIds: versions.map(({ id }) => id), isWhole: true });
      }
      return this.writer.deleteCollection(manager, ref);
    });
    await this.blobs.collect(contents);
  }

  async addTag(caller: Principal, name: CollectionName, tag: string): Promise<TaggedCollection> {
    const { ref } = await this.find(caller, name, 'member');
    await this.dataSource.transaction((manager) => this.labels.addCollectionTag(manager, caller, ref, tag));
    return this.get(caller, name);
  }

  async removeTag(caller: Principal, name: CollectionName, tag: string): Promise<void> {
    const { ref } = await this.find(caller, name, 'member');
    const removed = await this.dataSource.transaction((manager) =>
      this.labels.removeCollectionTag(manager, caller, ref, tag),
    );
    if (!removed) throw new LabelNotFoundError('tag', tag);
  }

  /** The collection, for callers with this role in its project. */
  async find(
    caller: Principal,
    name: CollectionName,
    role: PlaceRole,
  ): Promise<{ entity: ArtifactCollection; ref: CollectionRef }> {
    const project = await this.access.requireRole(caller, name, role);
    const entity = await this.collections.find({ projectId: project.id }, name.collection);
    if (!entity) throw new CollectionNotFoundError(name.collection, placeName(name));
    return { entity, ref: collectionRef(entity, placeOfProject(project)) };
  }
}

const placeName = ({ entity, project }: ProjectName): string => `project '${entity}/${project}'`;
