import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, BlobsService, VersionLinkedError } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { Checkpoint, Model } from '@heddle/database';
import { RunWriter } from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { AdapterStore } from '../checkpoints/adapter.store.js';
import { CheckpointInUseError } from '../checkpoints/checkpoints.errors.js';
import { ModelAccessService } from './model-access.service.js';
import { ModelCollectionsService } from './model-collections.service.js';
import type { ModelRef } from './model-ref.js';
import { ModelNotFoundError } from './models.errors.js';
import { ModelsRepository } from './models.repository.js';

export interface DeletedModel {
  id: string;
  checkpoints: number;
  run: boolean;
}

/** Removes what is outside of the database, once the transaction has committed. */
export type AfterDeletion = () => Promise<void>;

/** What another feature keeps of a model, and deletes with it. */
export interface ModelPart {
  /** @param manager of the transaction, in which the model's row goes next, and with it those that belong to it */
  delete(manager: EntityManager, caller: Principal, ref: ModelRef): Promise<AfterDeletion>;
}

/** Deletes a model with all that it owns: checkpoints, artifacts, its run, and the parts of other features. */
@Injectable()
export class ModelDeletionService {
  private readonly parts: ModelPart[] = [];

  constructor(
    private readonly access: ModelAccessService,
    private readonly models: ModelsRepository,
    private readonly collections: ModelCollectionsService,
    private readonly artifacts: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly adapters: AdapterStore,
    private readonly runs: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** For a module's `onModuleInit`. */
  include(part: ModelPart): void {
    this.parts.push(part);
  }

  /** @throws CheckpointInUseError where a registry links one of its versions */
  async delete(caller: Principal, id: string): Promise<DeletedModel> {
    const ref = await this.access.find(caller, id, 'member');
    const { deleted, after } = await this.dataSource.transaction((manager) =>
      this.deleteRows(manager, caller, ref).catch((error: unknown) => {
        throw error instanceof VersionLinkedError ? new CheckpointInUseError(error.message) : error;
      }),
    );
    for (const remove of after) await remove();
    return deleted;
  }

  /** The model's rows, in the caller's transaction; `after` is for when that has committed. */
  async deleteRows(
    manager: EntityManager,
    caller: Principal,
    { model: { id }, project }: ModelRef,
  ): Promise<{ deleted: DeletedModel; after: AfterDeletion[] }> {
    const model = await this.models.lock(manager, id);
    if (!model) throw new ModelNotFoundError(id);
    const checkpoints = await manager.findBy(Checkpoint, { modelId: id });
    const after: AfterDeletion[] = [];
    for (const part of this.parts) after.push(await part.delete(manager, caller, { model, project }));
    const collection = await this.collections.find(manager, { model, project });
    const contents = collection ? await this.artifacts.deleteCollection(manager, collection) : [];
    const run = model.runId !== null && (await this.runs.delete(manager, project.id, model.runId));
    await manager.delete(Model, { id });
    after.push(() => this.blobs.collect(contents));
    after.push(() => this.adapters.remove(checkpoints.map(({ versionId }) => versionId)));
    return { deleted: { id, checkpoints: checkpoints.length, run }, after };
  }
}
