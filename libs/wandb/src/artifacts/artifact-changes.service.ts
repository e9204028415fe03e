import { Injectable } from '@nestjs/common';
import { VersionsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ConflictError, ValidationError } from '@heddle/http';
import type { RunPlace } from '../runs/sdk-runs.service.js';
import { SdkRunsService } from '../runs/sdk-runs.service.js';
import { readMetadata } from './artifact-input.js';
import { type ArtifactSource, nameOf } from './artifact-source.js';
import { LineageService } from './reading/lineage.service.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts-reader.service.js';

export interface UpdateArtifactInput {
  artifactID: string;
  description?: string | null;
  metadata?: string | null;
  tagsToAdd?: { tagName: string }[] | null;
  tagsToDelete?: { tagName: string }[] | null;
  /** All that it is to have. */
  aliases?: { alias: string }[] | null;
  ttlDurationSeconds?: number | null;
}

export interface AliasInput {
  entityName: string;
  projectName: string;
  artifactCollectionName: string;
  alias: string;
}

const LATEST = 'latest';

/** Changes of committed versions. Each goes by the service that REST goes by, so that automations see it. */
@Injectable()
export class ArtifactChangesService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly versions: VersionsService,
    private readonly runs: SdkRunsService,
    private readonly lineage: LineageService,
  ) {}

  async update(caller: Principal, input: UpdateArtifactInput): Promise<ArtifactSource> {
    if (input.ttlDurationSeconds !== null && input.ttlDurationSeconds !== undefined && input.ttlDurationSeconds > 0) {
      throw ValidationError.at(['variables', 'ttlDurationSeconds'], 'Nothing expires by itself here', 'ttl');
    }
    const source = await this.reader.get(caller, input.artifactID, 'member');
    const name = nameOf(source);
    const metadata = readMetadata(input.metadata);
    const description = input.description ?? undefined;
    if (metadata || description !== undefined) {
      await this.versions.update(caller, name, {
        ...(metadata && { metadata }),
        ...(description !== undefined && { description }),
      });
    }
    for (const { tagName } of input.tagsToAdd ?? []) await this.versions.addTag(caller, name, tagName);
    for (const { tagName } of input.tagsToDelete ?? []) {
      if (source.row.tags.includes(tagName)) await this.versions.removeTag(caller, name, tagName);
    }
    if (input.aliases)
      await this.replaceAliases(
        caller,
        source,
        input.aliases.map(({ alias }) => alias),
      );
    return this.reader.get(caller, input.artifactID, 'member');
  }

  async addAliases(caller: Principal, id: string, aliases: readonly AliasInput[]): Promise<void> {
    const source = await this.reader.get(caller, id, 'member');
    for (const alias of aliases) {
      requireOwn(source, alias);
      // It follows the newest version by itself: said again of that one, nothing is to be done.
      if (alias.alias === LATEST && source.row.aliases.includes(LATEST)) continue;
      await this.versions.putAlias(caller, nameOf(source), alias.alias);
    }
  }

  async deleteAliases(caller: Principal, id: string, aliases: readonly AliasInput[]): Promise<void> {
    const source = await this.reader.get(caller, id, 'member');
    for (const alias of aliases) {
      requireOwn(source, alias);
      if (source.row.aliases.includes(alias.alias))
        await this.versions.removeAlias(caller, nameOf(source), alias.alias);
    }
  }

  async delete(caller: Principal, id: string, deleteAliases: boolean): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, id, 'member');
    const aliases = source.row.aliases.filter((alias) => alias !== LATEST);
    if (aliases.length > 0 && !deleteAliases) {
      throw new ConflictError(`It has aliases (${aliases.join(', ')}): say that they go too`, 'has_aliases');
    }
    await this.versions.delete(caller, nameOf(source), false);
    return source;
  }

  /** Says that a run used it. */
  async use(caller: Principal, id: string, place: RunPlace): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, id);
    const { run } = await this.runs.find(caller, place, 'member');
    await this.lineage.use(run.id, id);
    return source;
  }

  private async replaceAliases(caller: Principal, source: ArtifactSource, wanted: readonly string[]): Promise<void> {
    const { aliases } = source.row;
    for (const alias of wanted)
      if (!aliases.includes(alias)) await this.versions.putAlias(caller, nameOf(source), alias);
    for (const alias of aliases) {
      if (alias !== LATEST && !wanted.includes(alias)) await this.versions.removeAlias(caller, nameOf(source), alias);
    }
  }
}

/** Aliases of links are a registry's. */
function requireOwn({ collection: { entity, project } }: ArtifactSource, alias: AliasInput): void {
  const isOwn =
    alias.entityName === project.entity &&
    alias.projectName === project.name &&
    alias.artifactCollectionName === entity.name;
  if (isOwn) return;
  const place = `${alias.entityName}/${alias.projectName}/${alias.artifactCollectionName}`;
  const msg = `The version was not made in '${place}': aliases of links are not served`;
  throw ValidationError.at(['variables', 'aliases'], msg, 'alias_place');
}
