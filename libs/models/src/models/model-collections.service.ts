import { Injectable } from '@nestjs/common';
import { type CollectionRef, collectionRef, CollectionsRepository, placeOfProject } from '@heddle/artifacts';
import { Model } from '@heddle/database';
import type { EntityManager } from 'typeorm';
import type { ModelRef } from './model-ref.js';
import { ModelNameTakenError } from './models.errors.js';

const TYPE = 'model';

/** Where a model's checkpoints are artifact versions: a collection of its name. */
@Injectable()
export class ModelCollectionsService {
  constructor(private readonly collections: CollectionsRepository) {}

  /** The collection, or null where its user has deleted it. */
  async find(manager: EntityManager, { model, project }: ModelRef): Promise<CollectionRef | null> {
    if (model.collectionId === null) return null;
    const collection = await this.collections.findById(manager, model.collectionId);
    return collection && collectionRef(collection, placeOfProject(project));
  }

  /** The collection, made where there is none. @throws ModelNameTakenError for one that holds something else */
  async findOrCreate(manager: EntityManager, ref: ModelRef): Promise<CollectionRef> {
    const { model, project } = ref;
    const known = await this.find(manager, ref);
    if (known) return known;
    const fields = { name: model.name, type: TYPE };
    const collection = await this.collections.findOrInsert(manager, { projectId: project.id }, fields, model.createdBy);
    if (collection.type !== TYPE) throw new ModelNameTakenError(model.name, collection.type);
    await manager.update(Model, model.id, { collectionId: collection.id });
    model.collectionId = collection.id;
    return collectionRef(collection, placeOfProject(project));
  }
}
