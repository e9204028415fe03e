import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { ArtifactVersion, type PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource, EntityManager } from 'typeorm';
import { ArtifactWriter, metadataText, type NewVersion, type VersionLabels } from './artifact-writer.service.js';
import { LabelNotFoundError, VersionNotFoundError } from './artifacts.errors.js';
import { BlobsService } from './blobs.service.js';
import type { CollectionRef } from './collection-ref.js';
import { type CollectionName, CollectionsService } from './collections.service.js';
import type { ReceivedFile } from './file-store.js';
import { LabelWriter } from './label-writer.service.js';
import type { VersionRow } from './version-row.js';
import { VersionsRepository } from './versions.repository.js';

export interface VersionName extends CollectionName {
  /** `vN`, an alias, a digest or an id. */
  version: string;
}

/** Where requests name an alias. */
const ALIAS = ['path', 'alias'];

/** Committed versions as their project's users see them: viewers read, members write. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly versions: VersionsRepository,
    private readonly writer: ArtifactWriter,
    private readonly labels: LabelWriter,
    private readonly blobs: BlobsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Creates a version with small files that came inside the request. */
  async create(
    caller: Principal,
    name: CollectionName,
    fields: NewVersion & VersionLabels,
    contents: ReadonlyMap<string, Buffer>,
  ): Promise<VersionRow> {
    const { ref } = await this.collections.find(caller, name, 'member');
    const files = new Map<string, ReceivedFile>();
    try {
      for (const [path, content] of contents) files.set(path, await this.blobs.receive(Readable.from([content])));
      const id = await this.dataSource.transaction((manager) =>
        this.writer.create(manager, caller, ref, { ...fields, files }),
      );
      return await this.read(ref, id);
    } finally {
      for (const file of files.values()) await file.discard();
    }
  }

  async list(
    caller: Principal,
    name: CollectionName,
    tag: string | undefined,
    query: PageQuery,
  ): Promise<VersionRow[]> {
    const { ref } = await this.collections.find(caller, name, 'viewer');
    return this.versions.findPage(ref.id, tag, query);
  }

  async get(caller: Principal, name: VersionName): Promise<VersionRow> {
    return (await this.find(caller, name, 'viewer')).row;
  }

  /** Changes what is named. The metadata is replaced as a whole. */
  async update(caller: Principal, name: VersionName, { description, metadata }: NewVersion): Promise<VersionRow> {
    const { ref, row } = await this.find(caller, name, 'member');
    const changes = {
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata: metadataText(metadata) }),
    };
    if (Object.keys(changes).length > 0) await this.dataSource.manager.update(ArtifactVersion, row.id, changes);
    return this.read(ref, row.id);
  }

  async delete(caller: Principal, name: VersionName): Promise<void> {
    const { ref, row } = await this.find(caller, name, 'member');
    const contents = await this.dataSource.transaction((manager) => this.writer.delete(manager, caller, ref, row.id));
    await this.blobs.collect(contents);
  }

  putAlias(caller: Principal, name: VersionName, alias: string): Promise<VersionRow> {
    return this.change(caller, name, (manager, ref, id) =>
      this.labels.putAlias(manager, caller, ref, id, alias, ALIAS),
    );
  }

  async removeAlias(caller: Principal, name: VersionName, alias: string): Promise<void> {
    await this.change(caller, name, async (manager, ref, id) => {
      if (!(await this.labels.removeAlias(manager, ref, id, alias, ALIAS)))
        throw new LabelNotFoundError('alias', alias);
    });
  }

  addTag(caller: Principal, name: VersionName, tag: string): Promise<VersionRow> {
    return this.change(caller, name, (manager, ref, id) => this.labels.addTag(manager, caller, ref, id, tag));
  }

  async removeTag(caller: Principal, name: VersionName, tag: string): Promise<void> {
    await this.change(caller, name, async (manager, ref, id) => {
      if (!(await this.labels.removeTag(manager, caller, ref, id, tag))) throw new LabelNotFoundError('tag', tag);
    });
  }

  private async find(
    caller: Principal,
    name: VersionName,
    role: PlaceRole,
  ): Promise<{ ref: CollectionRef; row: VersionRow }> {
    const { ref } = await this.collections.find(caller, name, role);
    return { ref, row: await this.read(ref, name.version) };
  }

  private async change(
    caller: Principal,
    name: VersionName,
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
