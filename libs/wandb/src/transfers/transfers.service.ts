import { Injectable } from '@nestjs/common';
import { FileTooLargeError, incomingOf, MAX_FILE_BYTES, type StoredFile } from '@heddle/artifacts';
import { InjectPool } from '@heddle/database';
import { NotFoundError } from '@heddle/http';
import type { Request } from 'express';
import type pg from 'pg';
import { SdkArtifactFilesService } from '../artifacts/sdk-artifact-files.service.js';
import { SdkManifestsService } from '../artifacts/sdk-manifests.service.js';
import { RunFilesService } from '../runs/files/run-files.service.js';
import { UrlSigner } from './url-signer.js';

/** Does what a signed address permits. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly urls: UrlSigner,
    private readonly artifactFiles: SdkArtifactFilesService,
    private readonly manifests: SdkManifestsService,
    private readonly runFiles: RunFilesService,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  async receive(token: string, request: Request): Promise<void> {
    const transfer = this.urls.open(token, 'put-artifact-file', 'put-run-file');
    const upload = incomingOf(request);
    if ((upload.length ?? 0) > MAX_FILE_BYTES) throw new FileTooLargeError(MAX_FILE_BYTES);
    if (transfer.kind === 'put-run-file') await this.runFiles.receive(transfer.run, transfer.path, upload);
    else await this.artifactFiles.receive(transfer.draft, transfer.path, transfer.md5, upload);
  }

  async receiveManifest(token: string, body: Buffer): Promise<void> {
    const { manifest } = this.urls.open(token, 'put-manifest');
    await this.manifests.receive(manifest, body);
  }

  async manifest(token: string): Promise<string> {
    return this.manifests.textOf(this.urls.open(token, 'get-manifest').version);
  }

  async content(token: string): Promise<StoredFile> {
    const { sha256, name } = this.urls.open(token, 'get-content');
    const sql = 'SELECT size_bytes FROM artifact_blobs WHERE sha256 = $1';
    const [row] = (await this.pool.query<{ size_bytes: string }>(sql, [sha256])).rows;
    if (!row) throw new NotFoundError('The content was deleted', 'file_not_found');
    return { path: name, sha256, size: Number(row.size_bytes) };
  }
}
