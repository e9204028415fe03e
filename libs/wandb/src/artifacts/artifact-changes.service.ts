import { Injectable } from '@nestjs/common';
import { type VersionRow, VersionsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ConflictError, ValidationError } from '@heddle/http';
import { LinksService } from '@heddle/registries';
import { isRegistry } from '../places/place-source.js';
import type { RunPlace } from '../runs/sdk-runs.service.js';
import { SdkRunsService } from '../runs/sdk-runs.service.js';
import { readMetadata, readTtl } from './artifact-input.js';
import { type ArtifactSource, nameOf } from './artifact-source.js';
import { LineageService } from './reading/lineage.service.js';
import { MembershipsService } from './reading/memberships.service.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';

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

interface AliasPlace {
  row: VersionRow;
  put: (alias: string) => Promise<unknown>;
  remove: (alias: string) => Promise<void>;
}

const LATEST = 'latest';

/** Changes of committed versions. Each goes by the service that REST goes by, so that automations see it. */
@Injectable()
export class ArtifactChangesService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly versions: VersionsService,
    private readonly memberships: MembershipsService,
    private readonly links: LinksService,
    private readonly runs: SdkRunsService,
    private readonly lineage: LineageService,
  ) {}

  async update(caller: Principal, input: UpdateArtifactInput): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, input.artifactID, 'member');
    const name = nameOf(source);
    const metadata = readMetadata(input.metadata);
    const description = input.description ?? undefined;
    const ttlSeconds = readTtl(input.ttlDurationSeconds);
    if (metadata || description !== undefined || ttlSeconds !== undefined) {
      await this.versions.update(caller, name, {
        ...(metadata && { metadata }),
        ...(description !== undefined && { description }),
        ...(ttlSeconds !== undefined && { ttlSeconds }),
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

  async addAliases(caller: Principal, id: string, aliases: readonly AliasInput[]): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, id);
    for (const { alias, ...place } of aliases) {
      const { row, put } = await this.aliasPlace(caller, source, place);
      // It follows the newest version by itself: said again of that one, nothing is to be done.
      if (alias !== LATEST || !row.aliases.includes(LATEST)) await put(alias);
    }
    return source;
  }

  async deleteAliases(caller: Principal, id: string, aliases: readonly AliasInput[]): Promise<ArtifactSource> {
    const source = await this.reader.get(caller, id);
    for (const { alias, ...place } of aliases) {
      const { row, remove } = await this.aliasPlace(caller, source, place);
      if (row.aliases.includes(alias)) await remove(alias);
    }
    return source;
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

  /** Where an alias is: with the version itself, or with one of its links. Roles are asked for by whoever changes them. */
  private async aliasPlace(
    caller: Principal,
    source: ArtifactSource,
    { entityName, projectName, artifactCollectionName }: Omit<AliasInput, 'alias'>,
  ): Promise<AliasPlace> {
    const found = (await this.memberships.of(caller, source)).find(
      ({ collection: { entity, project } }) =>
        project.entity === entityName && project.name === projectName && entity.name === artifactCollectionName,
    );
    if (!found) {
      const place = `${entityName}/${projectName}/${artifactCollectionName}`;
      throw ValidationError.at(['variables', 'aliases'], `The version is not in '${place}'`, 'alias_place');
    }
    const { row, collection } = found;
    const { project } = collection;
    if (!isRegistry(project)) {
      return {
        row,
        put: (alias) => this.versions.putAlias(caller, nameOf(source), alias),
        remove: (alias) => this.versions.removeAlias(caller, nameOf(source), alias),
      };
    }
    const name = {
      entity: project.entity,
      registry: project.registry.name,
      collection: collection.entity.name,
      version: row.id,
    };
    return {
      row,
      put: (alias) => this.links.putAlias(caller, name, alias),
      remove: (alias) => this.links.removeAlias(caller, name, alias),
    };
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
