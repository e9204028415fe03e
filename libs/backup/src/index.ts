export { backUp, type BackupPlace } from './backup.js';
export { BackupError } from './backup.errors.js';
export { ProgressTeller } from './progress-teller.js';
export { restore } from './restore.js';
