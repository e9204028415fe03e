import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  ArtifactReader,
  type CollectionRef,
  LabelNotFoundError,
  LabelWriter,
  MembershipWriter,
  VersionNotFoundError,
  type VersionRow,
  VersionsRepository,
} from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource, EntityManager } from 'typeorm';
import { OtherTeamError, OtherTypeError } from './registries.errors.js';
import { type RegistryCollectionName, RegistryCollectionsService } from './registry-collections.service.js';

export interface LinkName extends RegistryCollectionName {
  /** `vN` of the registry's collection, an alias there, a digest or an id. */
  version: string;
}

/** Where requests name an alias. */
const ALIAS = ['path', 'alias'];

/** Versions linked into registry collections: viewers read, members link, unlink and label them. */
@Injectable()
export class LinksService {
  constructor(
    private readonly collections: RegistryCollectionsService,
    private readonly artifacts: ArtifactReader,
    private readonly versions: VersionsRepository,
    private readonly memberships: MembershipWriter,
    private readonly labels: LabelWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Links a version that the caller may read. One that is linked already stays as it is. */
  async link(caller: Principal, name: RegistryCollectionName, artifact: string): Promise<VersionRow> {
    const { ref, registry } = await this.collections.find(caller, name, 'member');
    const source = await this.artifacts.resolve(caller, artifact, ['body', 'artifact']);
    if (source.collection.place.teamId !== registry.teamId) throw new OtherTeamError(registry.entity);
    if (source.collection.type !== ref.type) throw new OtherTypeError(ref.type, source.collection.type);
    await this.dataSource.transaction(async (manager) => {
      await this.memberships.lock(manager, ref);
      if (await this.versions.find(ref.id, source.version.id, manager)) return;
      await this.memberships.add(manager, caller, ref, source.version.id, 'LINK_ARTIFACT');
    });
    return this.read(ref, source.version.id);
  }

  async list(
    caller: Principal,
    name: RegistryCollectionName,
    tag: string | undefined,
    query: PageQuery,
  ): Promise<VersionRow[]> {
    const { ref } = await this.collections.find(caller, name, 'viewer');
    return this.versions.findPage(ref.id, tag, query);
  }

  async get(caller: Principal, name: LinkName): Promise<VersionRow> {
    return (await this.find(caller, name, 'viewer')).row;
  }

  async unlink(caller: Principal, name: LinkName): Promise<void> {
    const { ref, row } = await this.find(caller, name, 'member');
    await this.dataSource.transaction((manager) => this.memberships.unlink(manager, caller, ref, row.id));
  }

  putAlias(caller: Principal, name: LinkName, alias: string): Promise<VersionRow> {
    return this.change(caller, name, (manager, ref, id) =>
      this.labels.putAlias(manager, caller, ref, id, alias, ALIAS),
    );
  }

  async removeAlias(caller: Principal, name: LinkName, alias: string): Promise<void> {
    await this.change(caller, name, async (manager, ref, id) => {
      if (!(await this.labels.removeAlias(manager, ref, id, alias, ALIAS)))
        throw new LabelNotFoundError('alias', alias);
    });
  }

  addTag(caller: Principal, name: LinkName, tag: string): Promise<VersionRow> {
    return this.change(caller, name, (manager, ref, id) => this.labels.addTag(manager, caller, ref, id, tag));
  }

  async removeTag(caller: Principal, name: LinkName, tag: string): Promise<void> {
    await this.change(caller, name, async (manager, ref, id) => {
      if (!(await this.labels.removeTag(manager, caller, ref, id, tag))) throw new LabelNotFoundError('tag', tag);
    });
  }

  private async find(
    caller: Principal,
    name: LinkName,
    role: PlaceRole,
  ): Promise<{ ref: CollectionRef; row: VersionRow }> {
    const { ref } = await this.collections.find(caller, name, role);
    return { ref, row: await this.read(ref, name.version) };
  }

  private async change(
    caller: Principal,
    name: LinkName,
    change: (manager: EntityManager, ref: CollectionRef, id: string) => Promise<void>,
  ): Promise<VersionRow> {
    const { ref, row } = await this.find(caller, name, 'member');
    await this.dataSource.transaction((manager) => change(manager, ref, row.id));
    return this.read(ref, row.id);
  }

  private async read(ref: CollectionRef, version: string): Promise<VersionRow> {
    const row = await this.versions.find(ref.id, version);
    if (!row) throw new VersionNotFoundError(ref.name, version);
    return row;
  }
}
