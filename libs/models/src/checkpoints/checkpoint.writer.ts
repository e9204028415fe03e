import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, BlobsService, type ReceivedFile } from '@heddle/artifacts';
import { Checkpoint, Model } from '@heddle/database';
import type { Actor } from '@heddle/events';
import type { DataSource, EntityManager } from 'typeorm';
import { ModelCollectionsService } from '../models/model-collections.service.js';
import type { ModelRef } from '../models/model-ref.js';
import { ModelNotFoundError } from '../models/models.errors.js';
import { ModelsRepository } from '../models/models.repository.js';
import { ADAPTER_FILES, isNeeded } from './adapter-files.js';
import { AdapterStore } from './adapter.store.js';

export interface NewCheckpoint {
  ref: ModelRef;
  actor: Actor;
  /** The job that made it. A job makes one checkpoint, however often it is asked to. */
  jobId: string | null;
  /** Finite numbers by name. */
  metrics: Readonly<Record<string, number>>;
}

/** Makes checkpoints: an artifact version with the aliases `stepN` and `latest`, and a row. Steps go up and never back. */
@Injectable()
export class CheckpointWriter {
  constructor(
    private readonly models: ModelsRepository,
    private readonly collections: ModelCollectionsService,
    private readonly artifacts: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly adapters: AdapterStore,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Makes a checkpoint of an adapter's directory, and moves the directory to where {@link AdapterStore} finds it.
   * @param within what else belongs into the same transaction: the end of the job
   * @throws ModelNotFoundError where the model has been deleted; the directory is the caller's then, as after any error
   */
  async write(
    fields: NewCheckpoint,
    directory: string,
    within: (manager: EntityManager, checkpoint: Checkpoint) => Promise<void> = async () => undefined,
  ): Promise<Checkpoint> {
    const files = await this.receive(directory);
    try {
      const checkpoint = await this.dataSource.transaction(async (manager) => {
        const created = await this.create(manager, { ...fields, files });
        await within(manager, created);
        return created;
      });
      await this.adapters.adopt(checkpoint.versionId, directory);
      return checkpoint;
    } finally {
      for (const file of files.values()) await file.discard();
    }
  }

  /** Takes the files of an adapter into the file store, for {@link create}. The caller discards them afterwards. */
  async receive(directory: string): Promise<Map<string, ReceivedFile>> {
    const there = await readdir(directory);
    const names = ADAPTER_FILES.filter((name) => isNeeded(name) || there.includes(name));
    // At once, since each waits for the disk.
    const received = await Promise.allSettled(
      names.map((name) => this.blobs.receive(createReadStream(join(directory, name)))),
    );
    const files = received.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []));
    const failure = received.find((file) => file.status === 'rejected');
    if (!failure) return new Map(names.map((name, index) => [name, files[index]!]));
    for (const file of files) await file.discard();
    throw failure.reason;
  }

  /** Inside the caller's transaction. @throws ModelNotFoundError where the model has been deleted */
  async create(
    manager: EntityManager,
    { ref, actor, jobId, metrics, files }: NewCheckpoint & { files: ReadonlyMap<string, ReceivedFile> },
  ): Promise<Checkpoint> {
    const model = await this.models.lock(manager, ref.model.id);
    if (!model) throw new ModelNotFoundError(ref.model.id);
    const made = jobId === null ? null : await manager.findOneBy(Checkpoint, { trainingJobId: jobId });
    if (made) return made;
    const step = model.nextStep;
    await manager.update(Model, model.id, { nextStep: step + 1 });
    const collection = await this.collections.findOrCreate(manager, { model, project: ref.project });
    const metadata = { step, base_model: model.baseModel, training_job_id: jobId, metrics };
    const versionId = await this.artifacts.create(manager, actor, collection, {
      metadata,
      aliases: [`step${step}`],
      files,
    });
    return manager.save(
      manager.create(Checkpoint, {
        modelId: model.id,
        step,
        metrics: JSON.stringify(metrics),
        versionId,
        trainingJobId: jobId,
      }),
    );
  }
}
