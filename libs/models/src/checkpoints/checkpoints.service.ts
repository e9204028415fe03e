import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, BlobsService, VersionLinkedError } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import type { Checkpoint } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource, EntityManager } from 'typeorm';
import { ModelAccessService } from '../models/model-access.service.js';
import { ModelCollectionsService } from '../models/model-collections.service.js';
import type { ModelRef } from '../models/model-ref.js';
import { ModelNotFoundError } from '../models/models.errors.js';
import { ModelsRepository } from '../models/models.repository.js';
import { AdapterStore } from './adapter.store.js';
import { CheckpointGuard } from './checkpoint.guard.js';
import { CheckpointInUseError } from './checkpoints.errors.js';
import { CheckpointsRepository } from './checkpoints.repository.js';

export interface DeletedCheckpoints {
  deleted: number;
  notFound: number[];
}

/** Checkpoints as their project's users see them: viewers read, members delete. */
@Injectable()
export class CheckpointsService {
  constructor(
    private readonly access: ModelAccessService,
    private readonly models: ModelsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly collections: ModelCollectionsService,
    private readonly artifacts: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly adapters: AdapterStore,
    private readonly guard: CheckpointGuard,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async list(caller: Principal, modelId: string, query: PageQuery): Promise<Checkpoint[]> {
    const { model } = await this.access.find(caller, modelId);
    return this.checkpoints.findPage(model.id, query);
  }

  /**
   * All of them or, where one is in use, none.
   * @param force deletes also what is in use: the latest one, and those that are served, trained from or compared with
   * @throws CheckpointInUseError that says which and why
   */
  async delete(
    caller: Principal,
    modelId: string,
    steps: readonly number[],
    force: boolean,
  ): Promise<DeletedCheckpoints> {
    const ref = await this.access.find(caller, modelId, 'member');
    const { found, contents } = await this.dataSource.transaction((manager) =>
      this.deleteRows(manager, caller, ref, steps, force),
    );
    await this.blobs.collect(contents);
    await this.adapters.remove(found.map(({ versionId }) => versionId));
    const deleted = new Set(found.map(({ step }) => step));
    return { deleted: deleted.size, notFound: [...new Set(steps)].filter((step) => !deleted.has(step)) };
  }

  private async deleteRows(
    manager: EntityManager,
    caller: Principal,
    ref: ModelRef,
    steps: readonly number[],
    force: boolean,
  ): Promise<{ found: Checkpoint[]; contents: string[] }> {
    const model = await this.models.lock(manager, ref.model.id);
    if (!model) throw new ModelNotFoundError(ref.model.id);
    const found = await this.checkpoints.findSteps(model.id, steps, manager);
    if (!force) await this.guard.requireFree(manager, found);
    const latest = await this.checkpoints.findLatest(model.id, manager);
    const collection = await this.collections.find(manager, { ...ref, model });
    const contents: string[] = [];
    // In ascending order, so that `latest` moves once.
    for (const { step, versionId } of collection ? found : []) {
      // The checkpoint goes with its version.
      const deletion = this.artifacts.delete(manager, caller, collection!, versionId);
      contents.push(...(await deletion.catch((error: unknown) => throwAsInUse(error, step))));
    }
    if (!force && found.some(({ id }) => id === latest?.id)) throw latestInUse(latest!);
    return { found, contents };
  }
}

function throwAsInUse(error: unknown, step: number): never {
  throw error instanceof VersionLinkedError ? new CheckpointInUseError(`Step ${step}: ${error.message}`) : error;
}

const latestInUse = ({ step }: Checkpoint): CheckpointInUseError =>
  new CheckpointInUseError(`Step ${step} is the latest: chats are answered from it, and training goes on from it`);
