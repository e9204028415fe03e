export { syncDirectory } from './sync-directory.js';
export { isMissing, systemErrorCode } from './system-error.js';
