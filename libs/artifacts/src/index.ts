export { type StoredFile, ArtifactFilesRepository } from './artifact-files.repository.js';
export { ArtifactReader, type ResolvedArtifact } from './artifact.reader.js';
export { type ArtifactRef, parseArtifactRef } from './artifact-ref.js';
export { ArtifactStoreModule } from './artifact-store.module.js';
export { ArtifactWriter, type NewVersion, type VersionLabels } from './artifact.writer.js';
export {
  CollectionExistsError,
  CollectionNotFoundError,
  FileTooLargeError,
  LabelNotFoundError,
  VersionLinkedError,
  VersionNotFoundError,
} from './artifacts.errors.js';
export { ArtifactsModule } from './artifacts.module.js';
export { BlobsService, MAX_FILE_BYTES } from './blobs.service.js';
export { type CollectionOwner, collectionRef, type CollectionRef, placeOfProject } from './collection-ref.js';
export {
  type CollectionFilter,
  CollectionsRepository,
  type NewCollection,
  type TaggedCollection,
} from './collections.repository.js';
export { CollectionVersionsService } from './collection-versions.service.js';
export { type Deletion, type DeletionGuard, DeletionGuardRegistry } from './deletion-guard.registry.js';
export { CollectionDto, CreateCollectionDto, ListCollectionsQuery, UpdateCollectionDto } from './dto/collection.dto.js';
export { type CollectionName, CollectionsService } from './collections.service.js';
export { sendFile } from './file-download.js';
export { checkFilePath } from './file-path.js';
export { type VersionName, VersionsService } from './versions.service.js';
export { DiskFileStore } from './disk-file-store.js';
export { type ByteRange, FileStore, type ReceivedFile } from './file-store.js';
export { LabelWriter } from './label.writer.js';
export { MembershipWriter } from './membership.writer.js';
export { PruneArtifactsHandler } from './prune-artifacts.handler.js';
export { VersionDto } from './dto/version.dto.js';
export { refIn, refOf, type VersionRow } from './version-row.js';
export { VersionsRepository } from './versions.repository.js';
