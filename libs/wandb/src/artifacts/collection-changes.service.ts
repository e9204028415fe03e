import { Injectable } from '@nestjs/common';
import { type CollectionName, CollectionsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { NotFoundError, ValidationError } from '@heddle/http';
import { type RegistryCollectionName, RegistryCollectionsService } from '@heddle/registries';
import { isRegistry } from '../places/place-source.js';
import { PlacesService } from '../places/places.service.js';
import type { CollectionSource } from './artifact-source.js';
import { CollectionsFinderService } from './reading/collections-finder.service.js';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';

export interface CollectionPlace {
  entityName: string;
  projectName: string;
  artifactCollectionName: string;
}

/** Changes of collections, by the services that REST goes by. A name and a type are for good here: refs hold them. */
@Injectable()
export class CollectionChangesService {
  constructor(
    private readonly finder: CollectionsFinderService,
    private readonly places: PlacesService,
    private readonly reader: SdkArtifactsReader,
    private readonly collections: CollectionsService,
    private readonly registries: RegistryCollectionsService,
  ) {}

  async update(
    caller: Principal,
    id: string,
    { name, description }: { name?: string | null; description?: string | null },
  ): Promise<CollectionSource> {
    const source = await this.finder.get(caller, id);
    if (name && name !== source.entity.name) {
      const msg = `Collections can't be renamed: '${source.entity.name}' stands in refs`;
      throw ValidationError.at(['variables', 'input', 'name'], msg, 'collection_name', name);
    }
    if (description !== undefined && description !== source.entity.description) {
      await this.at(source, {
        inProject: (own) => this.collections.update(caller, own, { description }),
        inRegistry: (own) => this.registries.describe(caller, own, description),
      });
    }
    return this.finder.get(caller, id);
  }

  async move(caller: Principal, id: string, type: string): Promise<CollectionSource> {
    const source = await this.finder.get(caller, id);
    if (type === source.entity.type) return source;
    const msg = `The type of '${source.entity.name}' can't be changed from '${source.entity.type}'`;
    throw ValidationError.at(['variables', 'input', 'destinationArtifactTypeName'], msg, 'artifact_type', type);
  }

  async delete(caller: Principal, id: string): Promise<CollectionSource> {
    const source = await this.finder.get(caller, id);
    await this.at(source, {
      inProject: (own) => this.collections.delete(caller, own, false),
      inRegistry: (own) => this.registries.delete(caller, own),
    });
    return source;
  }

  async addTags(caller: Principal, place: CollectionPlace, tags: readonly string[]): Promise<void> {
    const source = await this.named(caller, place);
    for (const tag of tags) {
      await this.at(source, {
        inProject: (own) => this.collections.addTag(caller, own, tag),
        inRegistry: (own) => this.registries.addTag(caller, own, tag),
      });
    }
  }

  /** Those that it doesn't have are gone already. */
  async removeTags(caller: Principal, place: CollectionPlace, tags: readonly string[]): Promise<void> {
    const source = await this.named(caller, place);
    const held = new Set(await this.tagsOf(caller, source));
    for (const tag of tags.filter((each) => held.has(each))) {
      await this.at(source, {
        inProject: (own) => this.collections.removeTag(caller, own, tag),
        inRegistry: (own) => this.registries.removeTag(caller, own, tag),
      });
    }
  }

  async tagsOf(caller: Principal, source: CollectionSource): Promise<string[]> {
    const { tags } = await this.at(source, {
      inProject: (own) => this.collections.get(caller, own),
      inRegistry: (own) => this.registries.get(caller, own),
    });
    return tags;
  }

  private async named(caller: Principal, place: CollectionPlace): Promise<CollectionSource> {
    const found = await this.places.find(caller, place.entityName, place.projectName);
    const source = found && (await this.reader.findCollection(found, place.artifactCollectionName));
    if (source) return source;
    const path = `${place.entityName}/${place.projectName}/${place.artifactCollectionName}`;
    throw new NotFoundError(`Collection '${path}' not found`, 'collection_not_found');
  }

  private at<T>(
    { entity: { name: collection }, project: place }: CollectionSource,
    does: {
      inProject: (name: CollectionName) => Promise<T>;
      inRegistry: (name: RegistryCollectionName) => Promise<T>;
    },
  ): Promise<T> {
    const { entity } = place;
    if (isRegistry(place)) return does.inRegistry({ entity, registry: place.registry.name, collection });
    return does.inProject({ entity, project: place.name, collection });
  }
}
