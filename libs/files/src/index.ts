export { DiskRoom, type PromisedRoom } from './disk-room.js';
export { freeBytes } from './free-bytes.js';
export { isBrokenTar, readTar, type TarEntry, textOf } from './read-tar.js';
export { syncDirectory } from './sync-directory.js';
export { isMissing, systemErrorCode } from './system-error.js';
export { TarEndedError, TarWriter } from './tar-writer.js';
