import {
  collectionRef,
  type CollectionRef,
  placeOfProject,
  type VersionName,
  type VersionRow,
} from '@heddle/artifacts';
import type { ArtifactCollection, SdkArtifact } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';

/** A project's collection. */
export interface CollectionSource {
  /** Which type of the schema it is. */
  __typename: 'ArtifactSequence';
  entity: ArtifactCollection;
  project: ProjectRef;
}

/** A version or a draft in the collection in which it was made, and what the SDK said of it, if it made it. */
export interface ArtifactSource {
  row: VersionRow;
  collection: CollectionSource;
  sdk: SdkArtifact | null;
}

export const collectionSource = (entity: ArtifactCollection, project: ProjectRef): CollectionSource => ({
  __typename: 'ArtifactSequence',
  entity,
  project,
});

export const refOfCollection = ({ entity, project }: CollectionSource): CollectionRef =>
  collectionRef(entity, placeOfProject(project));

/** As requests name a version. */
export const nameOf = ({ row, collection: { entity, project } }: ArtifactSource): VersionName => ({
  entity: project.entity,
  project: project.name,
  collection: entity.name,
  version: row.id,
});
