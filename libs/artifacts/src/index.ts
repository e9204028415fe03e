export { type StoredFile, ArtifactFilesRepository } from './files/artifact-files.repository.js';
export { ArtifactReader, type ResolvedArtifact } from './versions/artifact.reader.js';
export { type ArtifactRef, parseArtifactRef } from './versions/artifact-ref.js';
export { ArtifactStoreModule } from './artifact-store.module.js';
export { MAX_TTL_SECONDS } from './versions/time-to-live.js';
export { ArtifactWriter, type NewVersion, type VersionLabels } from './writing/artifact.writer.js';
export {
  CollectionExistsError,
  CollectionNotFoundError,
  FileTooLargeError,
  LabelNotFoundError,
  UploadInterruptedError,
  VersionLinkedError,
  VersionNotFoundError,
} from './artifacts.errors.js';
export { ArtifactsModule } from './artifacts.module.js';
export { BlobsService, MAX_FILE_BYTES } from './storage/blobs.service.js';
export {
  type CollectionOwner,
  collectionRef,
  type CollectionRef,
  placeOfProject,
} from './collections/collection-ref.js';
export {
  type CollectionFilter,
  CollectionsRepository,
  type NewCollection,
  type TaggedCollection,
} from './collections/collections.repository.js';
export { CollectionVersionsService } from './collections/collection-versions.service.js';
export { type Deletion, type DeletionGuard, DeletionGuardRegistry } from './versions/deletion-guard.registry.js';
export {
  CollectionDto,
  CreateCollectionDto,
  ListCollectionsQuery,
  UpdateCollectionDto,
} from './collections/collection.dto.js';
export { type CollectionName, CollectionsService } from './collections/collections.service.js';
export { sendFile } from './files/file-download.js';
export { checkFilePath } from './files/file-path.js';
export { type VersionName, VersionsService } from './versions/versions.service.js';
export { type Incoming, incomingOf } from './storage/incoming.js';
export { HeldBlobsService } from './storage/held-blobs.service.js';
export { FileStore, type ReceivedFile } from './storage/file-store.js';
export { LabelWriter } from './writing/label.writer.js';
export { MembershipWriter } from './writing/membership.writer.js';
export { ExpireArtifactsHandler } from './storage/expire-artifacts.handler.js';
export { PruneArtifactsHandler } from './storage/prune-artifacts.handler.js';
export { VersionDto } from './versions/version.dto.js';
export { refIn, refOf, type VersionRow } from './versions/version-row.js';
export { VersionsRepository } from './versions/versions.repository.js';
export { ARTIFACT_TABLES } from './artifact-archive.js';
