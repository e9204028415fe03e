import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, BlobsService, placeOfProject, VersionLinkedError } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { Checkpoint, Model, Run, TrainingJob, TrajectoryLog } from '@heddle/database';
import { DomainEventsService } from '@heddle/events';
import { RunWriter } from '@heddle/runs';
import { type DataSource, type EntityManager, In } from 'typeorm';
import { AdapterStore } from '../checkpoints/adapter-store.service.js';
import { CheckpointInUseError } from '../checkpoints/checkpoints.errors.js';
import { TrajectoryBodies } from '../trajectories/trajectory-bodies.service.js';
import { ModelAccess } from './model-access.service.js';
import { ModelCollections } from './model-collection.service.js';
import type { ModelRef } from './model-ref.js';
import { ModelNotFoundError } from './models.errors.js';
import { ModelsRepository } from './models.repository.js';

export interface DeletedModel {
  id: string;
  checkpoints: number;
  run: boolean;
}

/** What is outside of the database, to be removed once the transaction has committed. */
interface Remains {
  contents: string[];
  versions: string[];
  files: string[];
}

/** Deletes a model with all that it owns: jobs, which are cancelled, checkpoints, artifacts, trajectories, its run. */
@Injectable()
export class ModelDeletion {
  constructor(
    private readonly access: ModelAccess,
    private readonly models: ModelsRepository,
    private readonly collections: ModelCollections,
    private readonly artifacts: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly adapters: AdapterStore,
    private readonly bodies: TrajectoryBodies,
    private readonly runs: RunWriter,
    private readonly events: DomainEventsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** @throws CheckpointInUseError where a registry links one of its versions */
  async delete(caller: Principal, id: string): Promise<DeletedModel> {
    const ref = await this.access.find(caller, id, 'member');
    const { deleted, remains } = await this.dataSource.transaction((manager) =>
      this.deleteRows(manager, caller, ref).catch((error: unknown) => {
        throw error instanceof VersionLinkedError ? new CheckpointInUseError(error.message) : error;
      }),
    );
    await this.blobs.collect(remains.contents);
    await this.adapters.remove(remains.versions);
    await this.bodies.remove(remains.files);
    return deleted;
  }

  private async deleteRows(
    manager: EntityManager,
    caller: Principal,
    { model: { id }, project }: ModelRef,
  ): Promise<{ deleted: DeletedModel; remains: Remains }> {
    const model = await this.models.lock(manager, id);
    if (!model) throw new ModelNotFoundError(id);
    const checkpoints = await manager.findBy(Checkpoint, { modelId: id });
    const files = await this.filesOf(manager, id);
    await this.cancelJobs(manager, caller, { model, project });
    const collection = await this.collections.find(manager, { model, project });
    const contents = collection ? await this.artifacts.deleteCollection(manager, collection) : [];
    const run = model.runId !== null && (await this.runs.delete(manager, project.id, model.runId));
    await manager.delete(Model, { id });
    const versions = checkpoints.map(({ versionId }) => versionId);
    return { deleted: { id, checkpoints: checkpoints.length, run }, remains: { contents, versions, files } };
  }

  private async filesOf(manager: EntityManager, modelId: string): Promise<string[]> {
    const logs = await manager.findBy(TrajectoryLog, { modelId });
    const jobs = await manager.findBy(TrainingJob, { modelId, kind: 'rl' });
    return [...logs.map(({ path }) => path), ...jobs.map(({ data }) => data)];
  }

  /** Workers find that the job is gone, and stop. */
  private async cancelJobs(manager: EntityManager, caller: Principal, { model, project }: ModelRef): Promise<void> {
    const run = model.runId === null ? null : await manager.findOneBy(Run, { id: model.runId });
    if (!run) return;
    const open = { modelId: model.id, state: In(['QUEUED', 'RUNNING'] as const) };
    for (const { id, kind } of await manager.findBy(TrainingJob, open)) {
      await this.events.publish(manager, {
        type: 'TRAINING_JOB_STATE',
        state: 'CANCELLED',
        actor: caller,
        place: placeOfProject(project),
        run: { id: run.id, name: run.name, displayName: run.displayName, createdBy: run.createdBy },
        job: { id, kind, modelId: model.id, modelName: model.name, step: null },
      });
    }
  }
}
