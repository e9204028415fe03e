import { Injectable } from '@nestjs/common';
import { CollectionNotFoundError, refOf } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';
import { LinksService, RegistryCollectionsService, type RegistryCollectionName } from '@heddle/registries';
import { checkName } from '../artifacts/artifact-input.js';
import { type ArtifactSource, isSequence, type MembershipSource } from '../artifacts/artifact-source.js';
import { CollectionsFinderService } from '../artifacts/reading/collections-finder.service.js';
import { SdkArtifactsReader } from '../artifacts/reading/sdk-artifacts.reader.js';
import { isRegistry } from '../places/place-source.js';
import { PlacesService } from '../places/places.service.js';

export interface LinkArtifactInput {
  artifactID?: string | null;
  clientID?: string | null;
  artifactPortfolioName?: string | null;
  entityName?: string | null;
  projectName?: string | null;
  aliases?: { alias: string }[] | null;
}

/** Links versions into registries, by the services that REST goes by, so that automations see it. */
@Injectable()
export class SdkLinksService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly places: PlacesService,
    private readonly finder: CollectionsFinderService,
    private readonly collections: RegistryCollectionsService,
    private readonly links: LinksService,
  ) {}

  /** Links a version, in a collection that is made if there is none. One that is linked already stays as it is. */
  async link(caller: Principal, input: LinkArtifactInput): Promise<MembershipSource> {
    const source = await this.find(caller, input);
    const ref = refOf(source.row);
    if (ref === null) throw new ConflictError('A draft can be linked once it is a version', 'draft');
    const { entityName, projectName } = input;
    const place = await this.places.find(caller, entityName, projectName);
    if (!place)
      throw new NotFoundError(`There is no registry '${entityName ?? ''}/${projectName ?? ''}'`, 'registry_not_found');
    if (!isRegistry(place)) {
      const msg = `Artifacts are linked into registries, and '${place.entity}/${place.name}' is a project`;
      throw ValidationError.at(['variables', 'input', 'projectName'], msg, 'no_registry');
    }
    const collection = checkName(input.artifactPortfolioName, 'artifactPortfolioName');
    const name = { entity: place.entity, registry: place.registry.name, collection };
    await this.requireCollection(caller, name, source.collection.entity.type);
    const { id } = await this.links.link(caller, name, `wandb-artifact:///${ref}`);
    for (const { alias } of input.aliases ?? []) {
      if (alias !== 'latest') await this.links.putAlias(caller, { ...name, version: id }, alias);
    }
    const found = await this.reader.findCollection(place, collection);
    const membership = found && (await this.reader.findVersion(found, id));
    if (!membership) throw new CollectionNotFoundError(collection, place.name);
    return membership;
  }

  async unlink(caller: Principal, versionId: string, collectionId: string): Promise<void> {
    const collection = await this.finder.get(caller, collectionId);
    const { entity, project: place } = collection;
    if (isSequence(collection) || !isRegistry(place)) {
      const msg = `'${entity.name}' is a project's: what was made there is deleted, not unlinked`;
      throw ValidationError.at(['variables', 'input', 'artifactPortfolioID'], msg, 'no_registry');
    }
    const name = { entity: place.entity, registry: place.registry.name, collection: entity.name };
    await this.links.unlink(caller, { ...name, version: versionId });
  }

  private async find(caller: Principal, { artifactID, clientID }: LinkArtifactInput): Promise<ArtifactSource> {
    const id = artifactID ?? (clientID ? await this.reader.findByClientId(caller, clientID) : null);
    if (!id) throw ValidationError.at(['variables', 'input', 'artifactID'], 'names no artifact', 'artifact');
    return this.reader.get(caller, id);
  }

  private async requireCollection(caller: Principal, name: RegistryCollectionName, type: string): Promise<void> {
    try {
      await this.collections.find(caller, name, 'member');
    } catch (error) {
      if (!(error instanceof CollectionNotFoundError)) throw error;
      try {
        await this.collections.create(caller, name, { name: name.collection, type });
      } catch (failure) {
        // Somebody else made it at this moment.
        if (!(failure instanceof ConflictError)) throw failure;
      }
    }
  }
}
