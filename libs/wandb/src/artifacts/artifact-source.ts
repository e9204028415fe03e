import {
  collectionRef,
  type CollectionRef,
  placeOfProject,
  type VersionName,
  type VersionRow,
} from '@heddle/artifacts';
import type { ArtifactCollection, SdkArtifact } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';
import { isRegistry, type PlaceSource, type ProjectSource } from '../places/place-source.js';

/** A collection of a project or of a registry. */
export interface CollectionSource<Place extends PlaceSource = PlaceSource> {
  /** Which type of the schema it is. */
  __typename: 'ArtifactSequence' | 'ArtifactPortfolio';
  entity: ArtifactCollection;
  project: Place;
}

/** A version or a draft in the collection in which it was made, and what the SDK said of it, if it made it. */
export interface ArtifactSource {
  row: VersionRow;
  collection: CollectionSource<ProjectSource>;
  sdk: SdkArtifact | null;
}

/** A version as it is seen in one collection. */
export interface MembershipSource {
  row: VersionRow;
  collection: CollectionSource;
}

export const collectionSource = <Place extends PlaceSource>(
  entity: ArtifactCollection,
  project: Place,
): CollectionSource<Place> => ({
  __typename: isRegistry(project) ? 'ArtifactPortfolio' : 'ArtifactSequence',
  entity,
  project,
});

export const refOfCollection = ({ entity, project }: CollectionSource<ProjectRef>): CollectionRef =>
  collectionRef(entity, placeOfProject(project));

/** As requests name a version. */
export const nameOf = ({ row, collection: { entity, project } }: ArtifactSource): VersionName => ({
  entity: project.entity,
  project: project.name,
  collection: entity.name,
  version: row.id,
});

/** Whether it lies in a project, where its versions are made. */
export const isSequence = (source: CollectionSource): source is CollectionSource<ProjectSource> =>
  !isRegistry(source.project);
