export { copyObjects, type CopiedObjects } from './copy-objects.js';
export { DiskObjectStore } from './disk-object-store.js';
export { type ByteRange, type LinkedFile, ObjectStore, type StoredObject } from './object-store.js';
export { openObjectStore } from './open-object-store.js';
export { FilesUnavailableError } from './storage.errors.js';
export { StorageModule } from './storage.module.js';
