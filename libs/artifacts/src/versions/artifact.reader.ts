import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import { ArtifactFilesRepository, type StoredFile } from '../files/artifact-files.repository.js';
import { parseArtifactRef } from './artifact-ref.js';
import { ArtifactFileNotFoundError, VersionNotFoundError } from '../artifacts.errors.js';
import type { CollectionRef } from '../collections/collection-ref.js';
import { CollectionsService } from '../collections/collections.service.js';
import type { ByteRange } from '@heddle/storage';
import { FileStore } from '../storage/file-store.js';
import type { VersionRow } from './version-row.js';
import { VersionsRepository } from './versions.repository.js';

export interface ResolvedArtifact {
  collection: CollectionRef;
  version: VersionRow;
}

/** Finds versions by their refs, and reads their files: for requests and for other features. */
@Injectable()
export class ArtifactReader {
  constructor(
    private readonly collections: CollectionsService,
    private readonly versions: VersionsRepository,
    private readonly files: ArtifactFilesRepository,
    private readonly store: FileStore,
  ) {}

  /**
   * The version that a ref names: `wandb-artifact:///entity/project/collection:version` (see parseArtifactRef).
   * @param loc where the ref stands in the request, for the error
   * @param role that the caller must have in the project
   */
  async resolve(
    caller: Principal,
    text: string,
    loc: (string | number)[],
    role: PlaceRole = 'viewer',
  ): Promise<ResolvedArtifact> {
    const name = parseArtifactRef(text, loc);
    const { ref } = await this.collections.find(caller, name, role);
    const version = await this.versions.find(ref.id, name.version);
    if (!version) throw new VersionNotFoundError(name.collection, name.version);
    return { collection: ref, version };
  }

  /** By path, `limit` + 1 files from the one after `after`. */
  listFiles(versionId: string, after: string | undefined, limit: number): Promise<StoredFile[]> {
    return this.files.findPage(versionId, after, limit);
  }

  /** @throws ArtifactFileNotFoundError */
  async findFile(versionId: string, path: string): Promise<StoredFile> {
    const file = await this.files.find(versionId, path);
    if (!file) throw new ArtifactFileNotFoundError(path);
    return file;
  }

  /** The bytes of a file, or some of them. @throws ArtifactFileNotFoundError where it was deleted meanwhile */
  async openFile({ path, sha256 }: StoredFile, range?: ByteRange): Promise<Readable> {
    const content = await this.store.open(sha256, range);
    if (!content) throw new ArtifactFileNotFoundError(path);
    return content;
  }

  /** Where a client may download the file itself, or null. */
  linkTo({ path, sha256 }: StoredFile): Promise<string | null> {
    // Whatever it is, it is nothing to show inside a page.
    return this.store.linkTo(sha256, { name: path.split('/').at(-1)!, type: 'application/octet-stream' });
  }
}
