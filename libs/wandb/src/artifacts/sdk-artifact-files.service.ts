import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter, BlobsService, checkFilePath, type Incoming, MAX_FILE_BYTES } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import type { DataSource } from 'typeorm';
import { UrlSigner } from '../transfers/url-signer.js';
import type { ArtifactSource } from './artifact-source.js';
import { base64Of, hexOf } from './manifest/sdk-manifest.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';
import { SdkArtifactFilesRepository } from './sdk-artifact-files.repository.js';

export interface FileSpec {
  artifactID: string;
  name: string;
  /** Base64. */
  md5: string;
}

export interface PreparedFile {
  artifact: ArtifactSource;
  name: string;
  md5: string;
  /** Null where the content is here already. */
  uploadUrl: string | null;
}

/** The contents of drafts. */
@Injectable()
export class SdkArtifactFilesService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly files: SdkArtifactFilesRepository,
    private readonly writer: ArtifactWriter,
    private readonly blobs: BlobsService,
    private readonly urls: UrlSigner,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Where to upload each file, in the order asked. What the team holds already is not asked for again. */
  async prepare(caller: Principal, specs: readonly FileSpec[], baseUrl: string): Promise<PreparedFile[]> {
    const drafts = new Map<string, ArtifactSource>();
    const prepared: PreparedFile[] = [];
    for (const [index, { artifactID, name, md5 }] of specs.entries()) {
      const artifact = drafts.get(artifactID) ?? (await this.reader.get(caller, artifactID, 'member'));
      drafts.set(artifactID, artifact);
      const loc = ['variables', 'artifactFiles', index];
      const path = checkFilePath(name, [...loc, 'name']);
      const hex = hexOf(md5);
      if (hex.length !== 32) throw ValidationError.at([...loc, 'md5'], 'must be an MD5 in base64', 'md5', md5);
      const held = await this.files.findHeld(caller, artifact.collection.project, hex);
      if (held !== null) {
        await this.dataSource.transaction((manager) => this.writer.copyFile(manager, artifactID, path, held));
      }
      const transfer = { kind: 'put-artifact-file', draft: artifactID, path, md5: hex } as const;
      prepared.push({ artifact, name, md5, uploadUrl: held === null ? this.urls.sign(baseUrl, transfer) : null });
    }
    return prepared;
  }

  /** @param md5 hex: other content is refused */
  async receive(draftId: string, path: string, md5: string, { content, length }: Incoming): Promise<void> {
    const file = await this.blobs.receive(content, MAX_FILE_BYTES, length);
    try {
      if (file.md5 !== md5) {
        const msg = `The content's MD5 is ${base64Of(file.md5)}, not the announced ${base64Of(md5)}`;
        throw ValidationError.at(['body'], msg, 'md5_mismatch');
      }
      await this.dataSource.transaction((manager) => this.writer.addFile(manager, draftId, path, file));
    } finally {
      await file.discard();
    }
  }
}
