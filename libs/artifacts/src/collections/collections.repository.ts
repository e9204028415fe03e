import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArtifactCollection, ArtifactCollectionTag } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { type EntityManager, In, type Repository } from 'typeorm';
import type { CollectionOwner } from './collection-ref.js';

export interface CollectionFilter {
  type?: string;
  tag?: string;
}

export interface NewCollection {
  name: string;
  type: string;
  description?: string | null;
}

export interface CollectionChanges {
  description?: string | null | undefined;
  ttlSeconds?: number | null | undefined;
}

export interface TaggedCollection {
  collection: ArtifactCollection;
  tags: string[];
}

@Injectable()
export class CollectionsRepository {
  constructor(@InjectRepository(ArtifactCollection) private readonly collections: Repository<ArtifactCollection>) {}

  find(owner: CollectionOwner, name: string): Promise<ArtifactCollection | null> {
    return this.collections.findOneBy({ ...owner, name });
  }

  findById(manager: EntityManager, id: string): Promise<ArtifactCollection | null> {
    return manager.findOneBy(ArtifactCollection, { id });
  }

  findAll(manager: EntityManager, owner: CollectionOwner): Promise<ArtifactCollection[]> {
    return manager.findBy(ArtifactCollection, owner);
  }

  async findPage(
    owner: CollectionOwner,
    { type, tag }: CollectionFilter,
    query: PageQuery,
  ): Promise<TaggedCollection[]> {
    const list = this.collections.createQueryBuilder('collection').where(owner);
    if (type !== undefined) list.andWhere('collection.type = :type', { type });
    if (tag !== undefined) {
      list.andWhere(
        'EXISTS (SELECT FROM artifact_collection_tags t WHERE t.collection_id = collection.id AND t.tag = :tag)',
        { tag },
      );
    }
    return this.withTags(await findPage(list, query));
  }

  async withTags(collections: ArtifactCollection[]): Promise<TaggedCollection[]> {
    const tags = await this.collections.manager.find(ArtifactCollectionTag, {
      where: { collectionId: In(collections.map(({ id }) => id)) },
      order: { tag: 'ASC' },
    });
    return collections.map((collection) => ({
      collection,
      tags: tags.filter(({ collectionId }) => collectionId === collection.id).map(({ tag }) => tag),
    }));
  }

  /** @returns false where the place has a collection of that name */
  async insert(
    manager: EntityManager,
    owner: CollectionOwner,
    { name, type, description = null }: NewCollection,
    createdBy: string,
  ): Promise<boolean> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(ArtifactCollection)
      .values({ ...owner, name, type, description, createdBy })
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length > 0;
  }

  /** The collection of that name, whatever its type is; it is made where there is none. */
  async findOrInsert(
    manager: EntityManager,
    owner: CollectionOwner,
    fields: NewCollection,
    createdBy: string,
  ): Promise<ArtifactCollection> {
    await this.insert(manager, owner, fields, createdBy);
    return manager.findOneByOrFail(ArtifactCollection, { ...owner, name: fields.name });
  }

  /** Changes what is named. */
  async update(id: string, { description, ttlSeconds }: CollectionChanges): Promise<void> {
    const columns = {
      ...(description !== undefined && { description }),
      ...(ttlSeconds !== undefined && { ttlSeconds: ttlSeconds === null ? null : String(ttlSeconds) }),
    };
    if (Object.keys(columns).length > 0) await this.collections.update({ id }, columns);
  }
}
