import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  CollectionExistsError,
  type CollectionFilter,
  CollectionNotFoundError,
  collectionRef,
  type CollectionRef,
  CollectionsRepository,
  LabelNotFoundError,
  LabelWriter,
  MembershipWriter,
  type NewCollection,
  type TaggedCollection,
} from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import type { ArtifactCollection, PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource } from 'typeorm';
import {
  placeOfRegistry,
  RegistryAccessService,
  type RegistryName,
  type RegistryRef,
} from './registry-access.service.js';

export interface RegistryCollectionName extends RegistryName {
  collection: string;
}

export interface RegistryCollection {
  entity: ArtifactCollection;
  ref: CollectionRef;
  registry: RegistryRef;
}

/** A registry's collections: viewers read, members make, describe and tag them, administrators delete them. */
@Injectable()
export class RegistryCollectionsService {
  constructor(
    private readonly access: RegistryAccessService,
    private readonly collections: CollectionsRepository,
    private readonly labels: LabelWriter,
    private readonly memberships: MembershipWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async create(caller: Principal, name: RegistryName, fields: NewCollection): Promise<TaggedCollection> {
    const registry = await this.access.requireRole(caller, name, 'member');
    const { manager } = this.dataSource;
    if (!(await this.collections.insert(manager, { registryId: registry.id }, fields, caller.username))) {
      throw new CollectionExistsError(fields.name, placeName(name));
    }
    return this.get(caller, { ...name, collection: fields.name });
  }

  async list(
    caller: Principal,
    name: RegistryName,
    filter: CollectionFilter,
    query: PageQuery,
  ): Promise<TaggedCollection[]> {
    const registry = await this.access.requireRole(caller, name, 'viewer');
    return this.collections.findPage({ registryId: registry.id }, filter, query);
  }

  async get(caller: Principal, name: RegistryCollectionName): Promise<TaggedCollection> {
    const [tagged] = await this.collections.withTags([(await this.find(caller, name, 'viewer')).entity]);
    return tagged!;
  }

  async describe(
    caller: Principal,
    name: RegistryCollectionName,
    description: string | null | undefined,
  ): Promise<TaggedCollection> {
    const { entity } = await this.find(caller, name, 'member');
    await this.collections.update(entity.id, { description });
    return this.get(caller, name);
  }

  /** Each of its links ends as if it were taken away by itself. The versions stay in their projects. */
  async delete(caller: Principal, name: RegistryCollectionName): Promise<void> {
    const { ref } = await this.find(caller, name, 'admin');
    await this.dataSource.transaction((manager) => this.memberships.deleteCollection(manager, caller, ref));
  }

  async addTag(caller: Principal, name: RegistryCollectionName, tag: string): Promise<TaggedCollection> {
    const { ref } = await this.find(caller, name, 'member');
    await this.dataSource.transaction((manager) => this.labels.addCollectionTag(manager, caller, ref, tag));
    return this.get(caller, name);
  }

  async removeTag(caller: Principal, name: RegistryCollectionName, tag: string): Promise<void> {
    const { ref } = await this.find(caller, name, 'member');
    const removed = await this.dataSource.transaction((manager) =>
      this.labels.removeCollectionTag(manager, caller, ref, tag),
    );
    if (!removed) throw new LabelNotFoundError('tag', tag);
  }

  /** The collection, for callers with this role in its registry. */
  async find(caller: Principal, name: RegistryCollectionName, role: PlaceRole): Promise<RegistryCollection> {
    const registry = await this.access.requireRole(caller, name, role);
    const entity = await this.collections.find({ registryId: registry.id }, name.collection);
    if (!entity) throw new CollectionNotFoundError(name.collection, placeName(name));
    return { entity, ref: collectionRef(entity, placeOfRegistry(registry)), registry };
  }
}

const placeName = ({ entity, registry }: RegistryName): string => `registry '${entity}/${registry}'`;
