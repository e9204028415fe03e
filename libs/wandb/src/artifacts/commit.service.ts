import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ArtifactWriter } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { SdkArtifact, type SdkManifest } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import type { DataSource } from 'typeorm';
import { type ArtifactSource, refOfCollection } from './artifact-source.js';
import { FORM, hexOf, type Manifest, type ManifestEntry, readManifest } from './manifest/sdk-manifest.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';
import { SdkArtifactFilesRepository } from './sdk-artifact-files.repository.js';
import { SdkManifestsService } from './sdk-manifests.service.js';

const LOC = ['variables', 'artifactID'];

/** Makes a draft a version with the files that its manifest names, and no others. */
@Injectable()
export class CommitService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly manifests: SdkManifestsService,
    private readonly files: SdkArtifactFilesRepository,
    private readonly writer: ArtifactWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Again, it answers with the version. @throws ValidationError that names a file that was not uploaded */
  async commit(caller: Principal, id: string): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, id, 'member');
    if (source.row.committed_at) return source;
    const { manifest, bases } = await this.manifestOf(caller, source);
    const { copies, strays } = await this.settle(caller, id, manifest, bases);
    await this.dataSource.transaction(async (manager) => {
      for (const path of strays) await this.writer.removeFile(manager, id, path);
      for (const [path, sha256] of copies) await this.writer.copyFile(manager, id, path, sha256);
      await manager.update(SdkArtifact, { versionId: id }, { manifest: JSON.stringify(manifest) });
      const labels = { aliases: source.sdk?.aliases ?? [], tags: source.sdk?.tags ?? [] };
      await this.writer.commit(manager, caller, refOfCollection(source.collection), id, labels);
    });
    return this.reader.get(caller, id, 'member');
  }

  /** The whole one; or that of the version it adds to, with what is new; or all parts of runs that work together. */
  private async manifestOf(
    caller: Principal,
    { row }: ArtifactSource,
  ): Promise<{ manifest: Manifest; bases: string[] }> {
    const sent = (await this.manifests.sentFor(row.id)).filter(({ body }) => body !== null);
    const whole = sent.findLast(({ type }) => type === 'FULL');
    if (whole) return { manifest: readManifest(whole.body!), bases: [] };
    if (sent.length === 0) throw ValidationError.at(LOC, 'The manifest was not uploaded', 'manifest_missing');
    const bases = [...new Set(sent.flatMap(({ baseVersionId }) => baseVersionId ?? []))];
    for (const base of bases) await this.reader.get(caller, base);
    const parts = [...(await Promise.all(bases.map((base) => this.manifests.of(base)))), ...sent.map(readBody)];
    const contents = Object.assign({}, ...parts.map((part) => part.contents)) as Manifest['contents'];
    return { manifest: { ...FORM, ...parts.at(-1), contents }, bases };
  }

  /** Which contents of other versions the draft takes over, and which of its files no manifest names. */
  private async settle(
    caller: Principal,
    draftId: string,
    { contents }: Manifest,
    bases: readonly string[],
  ): Promise<{ copies: Map<string, string>; strays: string[] }> {
    const own = await this.files.list(draftId);
    const stored = new Map(own.map(({ path, md5 }) => [path, md5]));
    const copies = new Map<string, string>();
    const others = new Map<string, Map<string, string>>();
    for (const [path, entry] of Object.entries(contents)) {
      if (entry.ref !== undefined) continue;
      const md5 = hexOf(entry.digest);
      if (stored.get(path) === md5) continue;
      const sha256 = await this.findIn([...bases, ...birthOf(entry, draftId)], md5, caller, others);
      const msg = `'${path}' with the digest ${entry.digest} was not uploaded`;
      if (sha256 === undefined) throw ValidationError.at(LOC, msg, 'file_missing');
      copies.set(path, sha256);
    }
    const isStray = ({ path }: { path: string }): boolean => !contents[path] || contents[path].ref !== undefined;
    return { copies, strays: own.filter(isStray).map(({ path }) => path) };
  }

  private async findIn(
    versions: readonly string[],
    md5: string,
    caller: Principal,
    known: Map<string, Map<string, string>>,
  ): Promise<string | undefined> {
    for (const id of versions) {
      if (!known.has(id)) {
        // One that the caller may not read has nothing for it.
        const files = (await this.reader.find(caller, id)) ? await this.files.list(id) : [];
        known.set(id, new Map(files.map((file) => [file.md5, file.sha256])));
      }
      const sha256 = known.get(id)!.get(md5);
      if (sha256 !== undefined) return sha256;
    }
    return undefined;
  }
}

const readBody = ({ body }: SdkManifest): Manifest => readManifest(body!);

const birthOf = ({ birthArtifactID }: ManifestEntry, draftId: string): string[] =>
  typeof birthArtifactID === 'string' ? [birthArtifactID] : [draftId];
