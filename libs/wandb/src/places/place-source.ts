import type { CollectionOwner } from '@heddle/artifacts';
import type { ProjectRef } from '@heddle/projects';
import type { RegistryRef } from '@heddle/registries';

/** To clients a registry is a project of this name. */
export const REGISTRY_PREFIX = 'wandb-registry-';

export interface RegistrySource extends RegistryRef {
  /** With the prefix. */
  name: string;
  /** As everybody else knows it. */
  registry: RegistryRef;
}

export interface ProjectSource extends ProjectRef {
  /** The caller has no role in it, and sees one of its versions by a link: its names are all that he is told. */
  isHidden?: boolean;
}

/** What stands for a project in the schema. */
export type PlaceSource = ProjectSource | RegistrySource;

export const registrySource = (registry: RegistryRef): RegistrySource => ({
  ...registry,
  name: `${REGISTRY_PREFIX}${registry.name}`,
  registry,
});

export const isRegistry = (place: PlaceSource): place is RegistrySource => 'registry' in place;

export const ownerOf = (place: PlaceSource): CollectionOwner =>
  isRegistry(place) ? { registryId: place.id } : { projectId: place.id };

/** The registry's own name; null for a project's. */
export const registryNameOf = (project: string): string | null =>
  project.startsWith(REGISTRY_PREFIX) ? project.slice(REGISTRY_PREFIX.length) : null;
