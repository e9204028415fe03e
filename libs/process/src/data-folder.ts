import { accessSync, constants, mkdirSync } from 'node:fs';

/** DATA_DIR can't be used; the message is one line for the operator. */
export class DataFolderError extends Error {
  readonly code = 'data_folder_unusable';

  constructor(folder: string, reason: string) {
    super(`DATA_DIR (${folder}) can't be written: ${reason}. Make it writable for this user, or set another one`);
    this.name = 'DataFolderError';
  }
}

/** Makes it where it is missing. @throws DataFolderError at the start, rather than at the first upload */
export function requireDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError(folder, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}
