import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { ArtifactVersion, type PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type { DataSource } from 'typeorm';
import {
  ArtifactWriter,
  checkTtl,
  metadataText,
  type NewVersion,
  type VersionLabels,
} from '../writing/artifact.writer.js';
import { BlobsService, MAX_FILE_BYTES } from '../storage/blobs.service.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import { CollectionVersionsService } from '../collections/collection-versions.service.js';
import { type CollectionName, CollectionsService } from '../collections/collections.service.js';
import { DeletionGuardRegistry } from './deletion-guard.registry.js';
import type { ReceivedFile } from '../storage/file-store.js';
import type { VersionRow } from './version-row.js';

export interface VersionName extends CollectionName {
  /** `vN`, an alias, a digest or an id. */
  version: string;
}

/** Committed versions as their project's users see them: viewers read, members write. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly versions: CollectionVersionsService,
    private readonly writer: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly guards: DeletionGuardRegistry,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Creates a version with small files that came inside the request. */
  async create(
    caller: Principal,
    name: CollectionName,
    fields: NewVersion & VersionLabels,
    contents: ReadonlyMap<string, Buffer>,
  ): Promise<VersionRow> {
    const ref = await this.collection(caller, name, 'member');
    const files = new Map<string, ReceivedFile>();
    try {
      for (const [path, content] of contents) {
        files.set(path, await this.blobs.receive(Readable.from([content]), MAX_FILE_BYTES, content.length));
      }
      const id = await this.dataSource.transaction((manager) =>
        this.writer.create(manager, caller, ref, { ...fields, files }),
      );
      return await this.versions.get(ref, id);
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
    return this.versions.list(await this.collection(caller, name, 'viewer'), tag, query);
  }

  async get(caller: Principal, name: VersionName): Promise<VersionRow> {
    return this.versions.get(await this.collection(caller, name, 'viewer'), name.version);
  }

  /** Changes what is named. The metadata is replaced as a whole. */
  async update(
    caller: Principal,
    name: VersionName,
    { description, metadata, ttlSeconds }: NewVersion,
  ): Promise<VersionRow> {
    const ref = await this.collection(caller, name, 'member');
    const { id } = await this.versions.get(ref, name.version);
    const changes = {
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata: metadataText(metadata) }),
      ...(ttlSeconds !== undefined && { ttlSeconds: ttlSeconds === null ? null : String(checkTtl(ref, ttlSeconds)) }),
    };
    if (Object.keys(changes).length > 0) await this.dataSource.manager.update(ArtifactVersion, id, changes);
    return this.versions.get(ref, id);
  }

  /** @param force deletes also what another feature needs */
  async delete(caller: Principal, name: VersionName, force: boolean): Promise<void> {
    const ref = await this.collection(caller, name, 'member');
    const { id } = await this.versions.get(ref, name.version);
    const contents = await this.dataSource.transaction(async (manager) => {
      if (!force) await this.guards.requireDeletable(manager, { versionIds: [id], isWhole: false });
      return this.writer.delete(manager, caller, ref, id);
    });
    await this.blobs.collect(contents);
  }

  async putAlias(caller: Principal, name: VersionName, alias: string): Promise<VersionRow> {
    return this.versions.putAlias(caller, await this.collection(caller, name, 'member'), name.version, alias);
  }

  async removeAlias(caller: Principal, name: VersionName, alias: string): Promise<void> {
    await this.versions.removeAlias(await this.collection(caller, name, 'member'), name.version, alias);
  }

  async addTag(caller: Principal, name: VersionName, tag: string): Promise<VersionRow> {
    return this.versions.addTag(caller, await this.collection(caller, name, 'member'), name.version, tag);
  }

  async removeTag(caller: Principal, name: VersionName, tag: string): Promise<void> {
    await this.versions.removeTag(caller, await this.collection(caller, name, 'member'), name.version, tag);
  }

  private async collection(caller: Principal, name: CollectionName, role: PlaceRole): Promise<CollectionRef> {
    return (await this.collections.find(caller, name, role)).ref;
  }
}
