import type { ArtifactCollection } from '@heddle/database';
import type { EventPlace } from '@heddle/events';
import type { ProjectRef } from '@heddle/projects';

/** The project or the registry that a collection lies in. */
export type CollectionOwner = { projectId: number } | { registryId: string };

/** A collection and where it lies, for changes and their events. */
export interface CollectionRef {
  id: string;
  name: string;
  type: string;
  place: EventPlace;
}

export const collectionRef = ({ id, name, type }: ArtifactCollection, place: EventPlace): CollectionRef => ({
  id,
  name,
  type,
  place,
});

export const placeOfProject = ({ id, name, teamId, entity }: ProjectRef): EventPlace => ({
  teamId,
  entity,
  project: { id, name },
  registry: null,
});
