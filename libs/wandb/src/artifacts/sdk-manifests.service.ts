import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { SdkArtifact, SdkManifest } from '@heddle/database';
import { ConflictError, NotFoundError } from '@heddle/http';
import { isUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import { base64Of, FORM, type Manifest, readManifest } from './manifest/sdk-manifest.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';
import { SdkArtifactFilesRepository } from './sdk-artifact-files.repository.js';

export type ManifestKind = 'FULL' | 'INCREMENTAL' | 'PATCH';

export interface NewManifest {
  artifactID: string;
  baseArtifactID?: string | null;
  type?: ManifestKind | null;
}

/** Manifests that clients send for drafts, and those of versions. */
@Injectable()
export class SdkManifestsService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly files: SdkArtifactFilesRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** A place for a manifest of a draft: one for each of a PATCH, else the same again. @returns its id */
  async create(caller: Principal, { artifactID, baseArtifactID, type }: NewManifest): Promise<string> {
    const { row } = await this.reader.get(caller, artifactID, 'member');
    if (row.committed_at) throw new ConflictError(`'${artifactID}' is a version already`, 'draft_committed');
    if (baseArtifactID) await this.reader.get(caller, baseArtifactID);
    const kind = type ?? 'FULL';
    const fields = { versionId: artifactID, type: kind, baseVersionId: baseArtifactID ?? null };
    const known =
      kind === 'PATCH'
        ? null
        : await this.dataSource.manager.findOneBy(SdkManifest, { versionId: artifactID, type: kind });
    if (known) {
      if (baseArtifactID) await this.dataSource.manager.update(SdkManifest, known.id, fields);
      return known.id;
    }
    const { identifiers } = await this.dataSource.manager.insert(SdkManifest, fields);
    return (identifiers[0] as { id: string }).id;
  }

  async update(caller: Principal, id: string, baseArtifactID: string | null | undefined): Promise<string> {
    await this.get(caller, id);
    if (baseArtifactID) {
      await this.reader.get(caller, baseArtifactID);
      await this.dataSource.manager.update(SdkManifest, id, { baseVersionId: baseArtifactID });
    }
    return id;
  }

  /** @throws ValidationError that names the entry */
  async receive(id: string, body: Buffer): Promise<void> {
    const text = JSON.stringify(readManifest(body.toString('utf8')));
    const { affected } = await this.dataSource.manager.update(SdkManifest, { id }, { body: text });
    if (affected === 0) throw new NotFoundError('The draft was deleted', 'draft_not_found');
  }

  /** All that a draft's clients have sent, in that order. */
  sentFor(versionId: string): Promise<SdkManifest[]> {
    return this.dataSource.manager.find(SdkManifest, { where: { versionId }, order: { createdAt: 'ASC' } });
  }

  /** JSON text. Of a version that no client made, it is made of its files. */
  async textOf(versionId: string): Promise<string> {
    const kept = await this.dataSource.manager.findOne(SdkArtifact, {
      where: { versionId },
      select: { versionId: true, manifest: true },
    });
    return kept?.manifest ?? JSON.stringify(await this.manifestOfFiles(versionId));
  }

  async of(versionId: string): Promise<Manifest> {
    return JSON.parse(await this.textOf(versionId)) as Manifest;
  }

  private async manifestOfFiles(versionId: string): Promise<Manifest> {
    const files = await this.files.list(versionId);
    const entries = files.map(({ path, md5, size }) => [
      path,
      { digest: base64Of(md5), size, birthArtifactID: versionId },
    ]);
    return { ...FORM, contents: Object.fromEntries(entries) as Manifest['contents'] };
  }

  /** For those who may write it. Another team's is as one that doesn't exist. */
  private async get(caller: Principal, id: string): Promise<SdkManifest> {
    const manifest = isUUID(id) ? await this.dataSource.manager.findOneBy(SdkManifest, { id }) : null;
    const draft = manifest && (await this.reader.find(caller, manifest.versionId));
    if (!draft) throw new NotFoundError(`Manifest '${id}' not found`, 'manifest_not_found');
    await this.reader.get(caller, manifest.versionId, 'member');
    return manifest;
  }
}
