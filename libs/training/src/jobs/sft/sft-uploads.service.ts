import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ArtifactWriter, BlobsService, collectionRef, CollectionsRepository, placeOfProject } from '@heddle/artifacts';
import type { Incoming, ReceivedFile } from '@heddle/artifacts';
import type { SftConfig } from '@heddle/engine';
import type { Actor } from '@heddle/events';
import { MAX_NAME_LENGTH, type ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';
import { DataNameTakenError } from '../../training.errors.js';
import { SftCheck } from './sft-check.js';
import type { SftReference } from './sft-reference.js';

/** In MiB. Memory holds a line of it. */
export const UPLOAD_LIMIT = 1024;

const PATH = 'train.jsonl';
const TYPE = 'dataset';
const SUFFIX = '-sft-data';

/** Training data that has arrived whole, and in which every line is an example. */
export interface ReceivedData {
  /** What its sender should know. */
  warnings: string[];
  /** Makes it a version of the model's data set, in the caller's transaction. */
  keep(manager: EntityManager, actor: Actor, project: ProjectRef, modelName: string): Promise<SftReference>;
}

/** Takes training data that comes in a request of its own, for those without an SDK that uploads artifacts. */
@Injectable()
export class SftUploadsService {
  constructor(
    private readonly blobs: BlobsService,
    private readonly collections: CollectionsRepository,
    private readonly writer: ArtifactWriter,
  ) {}

  /**
   * Reads the source to its end. What is not kept is forgotten.
   * @param config of the job, which stands in the query
   * @throws ValidationError that names the bad lines, or the learning rates where there are more or fewer than batches
   */
  async receive<T>(
    { content, length }: Incoming,
    config: SftConfig,
    use: (data: ReceivedData) => Promise<T>,
  ): Promise<T> {
    const check = new SftCheck();
    // A request's stream is the answer's connection too: it must stay.
    const bytes = check.watch(content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
    const watched = Readable.from(bytes, { objectMode: false });
    const file = await this.blobs.receive(watched, UPLOAD_LIMIT * 1024 * 1024, length);
    try {
      check.requireGood(config, ['query']);
      const warnings = [...check.unknownKeys];
      return await use({ warnings, keep: (...parameters) => this.keep(file, ...parameters) });
    } finally {
      await file.discard();
    }
  }

  private async keep(
    file: ReceivedFile,
    manager: EntityManager,
    actor: Actor,
    project: ProjectRef,
    modelName: string,
  ): Promise<SftReference> {
    const name = modelName.slice(0, MAX_NAME_LENGTH - SUFFIX.length) + SUFFIX;
    const owner = { projectId: project.id };
    const collection = await this.collections.findOrInsert(manager, owner, { name, type: TYPE }, actor.username);
    if (collection.type !== TYPE) throw new DataNameTakenError(name);
    const ref = collectionRef(collection, placeOfProject(project));
    const versionId = await this.writer.create(manager, actor, ref, { files: new Map([[PATH, file]]) });
    return { url: `wandb-artifact:///${project.entity}/${project.name}/${name}:${versionId}`, versionId, path: PATH };
  }
}
