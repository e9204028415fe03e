import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { PageQuery } from '@heddle/http';
import type { DataSource, EntityManager } from 'typeorm';
import { LabelNotFoundError, VersionNotFoundError } from '../artifacts.errors.js';
import type { CollectionRef } from './collection-ref.js';
import { LabelWriter } from '../writing/label.writer.js';
import type { VersionRow } from '../versions/version-row.js';
import { VersionsRepository } from '../versions/versions.repository.js';

/** Where requests name an alias. */
const ALIAS = ['path', 'alias'];

/**
 * The versions of a collection and their labels, alike for a project's collections and a registry's. Whether the caller
 * may do it is settled before: who may differs between the two.
 */
@Injectable()
export class CollectionVersionsService {
  constructor(
    private readonly versions: VersionsRepository,
    private readonly labels: LabelWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  list(collection: CollectionRef, tag: string | undefined, query: PageQuery): Promise<VersionRow[]> {
    return this.versions.findPage(collection.id, tag, query);
  }

  /** @param version `vN`, an alias, a digest or an id */
  async get(collection: CollectionRef, version: string): Promise<VersionRow> {
    const row = await this.versions.find(collection.id, version);
    if (!row) throw new VersionNotFoundError(collection.name, version);
    return row;
  }

  putAlias(caller: Principal, collection: CollectionRef, version: string, alias: string): Promise<VersionRow> {
    return this.change(collection, version, (manager, id) =>
      this.labels.putAlias(manager, caller, collection, id, alias, ALIAS),
    );
  }

  async removeAlias(collection: CollectionRef, version: string, alias: string): Promise<void> {
    await this.change(collection, version, async (manager, id) => {
      if (await this.labels.removeAlias(manager, collection, id, alias, ALIAS)) return;
      throw new LabelNotFoundError('alias', alias);
    });
  }

  addTag(caller: Principal, collection: CollectionRef, version: string, tag: string): Promise<VersionRow> {
    return this.change(collection, version, (manager, id) => this.labels.addTag(manager, caller, collection, id, tag));
  }

  async removeTag(caller: Principal, collection: CollectionRef, version: string, tag: string): Promise<void> {
    await this.change(collection, version, async (manager, id) => {
      if (await this.labels.removeTag(manager, caller, collection, id, tag)) return;
      throw new LabelNotFoundError('tag', tag);
    });
  }

  private async change(
    collection: CollectionRef,
    version: string,
    change: (manager: EntityManager, id: string) => Promise<void>,
  ): Promise<VersionRow> {
    const { id } = await this.get(collection, version);
    await this.dataSource.transaction((manager) => change(manager, id));
    return this.get(collection, id);
  }
}
