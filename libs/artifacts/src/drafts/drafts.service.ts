import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { DataSource } from 'typeorm';
import { ArtifactFilesRepository, type StoredFile } from '../files/artifact-files.repository.js';
import { ArtifactWriter, type NewVersion, type VersionLabels } from '../writing/artifact.writer.js';
import {
  ArtifactFileNotFoundError,
  ContentMismatchError,
  DraftCommittedError,
  DraftNotFoundError,
  VersionNotFoundError,
} from '../artifacts.errors.js';
import { BlobsService, MAX_FILE_BYTES } from '../storage/blobs.service.js';
import type { Incoming } from '../storage/incoming.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import { type CollectionName, CollectionsService } from '../collections/collections.service.js';
import type { VersionRow } from '../versions/version-row.js';
import { VersionsRepository } from '../versions/versions.repository.js';

export interface DraftName extends CollectionName {
  draft: string;
}

export interface Upload extends Incoming {
  path: string;
  /** The digest that the content must have, and where the request says so. */
  expected: { sha256: string; loc: string[] } | null;
}

/** Versions in the making. Project members see them, by their ids; to everybody else's lists they don't exist. */
@Injectable()
export class DraftsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly versions: VersionsRepository,
    private readonly files: ArtifactFilesRepository,
    private readonly writer: ArtifactWriter,
    private readonly blobs: BlobsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async create(caller: Principal, name: CollectionName, fields: NewVersion): Promise<VersionRow> {
    const { ref } = await this.collections.find(caller, name, 'member');
    const draft = await this.writer.createDraft(this.dataSource.manager, caller, ref, fields);
    return (await this.find(caller, { ...name, draft })).row;
  }

  async get(caller: Principal, name: DraftName): Promise<VersionRow> {
    return (await this.find(caller, name)).row;
  }

  async upload(caller: Principal, name: DraftName, { path, content, length, expected }: Upload): Promise<StoredFile> {
    const { row } = await this.find(caller, name);
    const file = await this.blobs.receive(content, MAX_FILE_BYTES, length);
    try {
      if (expected && expected.sha256 !== file.sha256) {
        throw new ContentMismatchError(expected.loc, expected.sha256, file.sha256);
      }
      await this.dataSource.transaction((manager) => this.writer.addFile(manager, row.id, path, file));
      return { path, sha256: file.sha256, size: file.size };
    } finally {
      await file.discard();
    }
  }

  async removeFile(caller: Principal, name: DraftName, path: string): Promise<void> {
    const { row } = await this.find(caller, name);
    const removed = await this.dataSource.transaction((manager) => this.writer.removeFile(manager, row.id, path));
    if (!removed) throw new ArtifactFileNotFoundError(path);
  }

  async listFiles(caller: Principal, name: DraftName, after: string | undefined, limit: number): Promise<StoredFile[]> {
    return this.files.findPage((await this.find(caller, name)).row.id, after, limit);
  }

  /** Makes the draft the collection's newest version. */
  async commit(caller: Principal, name: DraftName, labels: VersionLabels): Promise<VersionRow> {
    const { ref, row } = await this.find(caller, name);
    await this.dataSource.transaction((manager) => this.writer.commit(manager, caller, ref, row.id, labels));
    const version = await this.versions.find(ref.id, row.id);
    if (!version) throw new VersionNotFoundError(ref.name, row.id);
    return version;
  }

  async delete(caller: Principal, name: DraftName): Promise<void> {
    const { ref, row } = await this.find(caller, name);
    const contents = await this.dataSource.transaction((manager) => this.writer.deleteDraft(manager, ref, row.id));
    await this.blobs.collect(contents);
  }

  private async find(caller: Principal, name: DraftName): Promise<{ ref: CollectionRef; row: VersionRow }> {
    const { ref } = await this.collections.find(caller, name, 'member');
    const row = await this.versions.findDraft(ref.id, name.draft);
    if (!row) throw new DraftNotFoundError(name.draft);
    if (row.committed_at) throw new DraftCommittedError(name.draft);
    return { ref, row };
  }
}
