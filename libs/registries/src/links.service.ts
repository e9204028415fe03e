import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type CollectionRef,
  CollectionVersionsService,
  MembershipWriter,
  type VersionRow,
  VersionsRepository,
} from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource } from 'typeorm';
import { OtherTeamError, OtherTypeError } from './registries.errors.js';
import { RefsService } from './refs.service.js';
import { type RegistryCollectionName, RegistryCollectionsService } from './registry-collections.service.js';

export interface LinkName extends RegistryCollectionName {
  /** `vN` of the registry's collection, an alias there, a digest or an id. */
  version: string;
}

/** Versions linked into registry collections: viewers read, members link, unlink and label them. */
@Injectable()
export class LinksService {
  constructor(
    private readonly collections: RegistryCollectionsService,
    private readonly refs: RefsService,
    private readonly versions: VersionsRepository,
    private readonly memberships: MembershipWriter,
    private readonly linked: CollectionVersionsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Links a version that the caller may read. One that is linked already stays as it is. */
  async link(caller: Principal, name: RegistryCollectionName, artifact: string): Promise<VersionRow> {
    const { ref, registry } = await this.collections.find(caller, name, 'member');
    const source = await this.refs.resolve(caller, artifact, ['body', 'artifact']);
    if (source.collection.place.teamId !== registry.teamId) throw new OtherTeamError(registry.entity);
    if (source.collection.type !== ref.type) throw new OtherTypeError(ref.type, source.collection.type);
    await this.dataSource.transaction(async (manager) => {
      await this.memberships.lock(manager, ref);
      if (await this.versions.find(ref.id, source.version.id, manager)) return;
      await this.memberships.add(manager, caller, ref, source.version.id, 'LINK_ARTIFACT');
    });
    return this.linked.get(ref, source.version.id);
  }

  async list(
    caller: Principal,
    name: RegistryCollectionName,
    tag: string | undefined,
    query: PageQuery,
  ): Promise<VersionRow[]> {
    return this.linked.list(await this.collection(caller, name, 'viewer'), tag, query);
  }

  async get(caller: Principal, name: LinkName): Promise<VersionRow> {
    return this.linked.get(await this.collection(caller, name, 'viewer'), name.version);
  }

  async unlink(caller: Principal, name: LinkName): Promise<void> {
    const ref = await this.collection(caller, name, 'member');
    const { id } = await this.linked.get(ref, name.version);
    await this.dataSource.transaction((manager) => this.memberships.unlink(manager, caller, ref, id));
  }

  async putAlias(caller: Principal, name: LinkName, alias: string): Promise<VersionRow> {
    return this.linked.putAlias(caller, await this.collection(caller, name, 'member'), name.version, alias);
  }

  async removeAlias(caller: Principal, name: LinkName, alias: string): Promise<void> {
    await this.linked.removeAlias(await this.collection(caller, name, 'member'), name.version, alias);
  }

  async addTag(caller: Principal, name: LinkName, tag: string): Promise<VersionRow> {
    return this.linked.addTag(caller, await this.collection(caller, name, 'member'), name.version, tag);
  }

  async removeTag(caller: Principal, name: LinkName, tag: string): Promise<void> {
    await this.linked.removeTag(caller, await this.collection(caller, name, 'member'), name.version, tag);
  }

  private async collection(caller: Principal, name: RegistryCollectionName, role: PlaceRole): Promise<CollectionRef> {
    return (await this.collections.find(caller, name, role)).ref;
  }
}
