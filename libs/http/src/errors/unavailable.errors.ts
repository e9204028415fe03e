import { isOutage, isStorageFull } from '@heddle/database';
import { ApiError } from './api-error.js';

const SOON_SECONDS = '5';
/** Somebody has to make room first. */
const LATER_SECONDS = '60';

export class DatabaseUnavailableError extends ApiError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': SOON_SECONDS };
    super(503, 'database_unavailable', 'The database does not answer; try again', headers, { cause });
  }
}

export class StorageFullError extends ApiError {
  constructor(cause: unknown) {
    const message = 'There is no room to store this; the operator has to make some';
    // What comes of the body is of no use any more.
    super(503, 'storage_full', message, { 'Retry-After': LATER_SECONDS, connection: 'close' }, { cause });
  }
}

/** What a client is told of a failure that is neither the request's nor the program's: to come back. */
export function unavailableFor(thrown: unknown): ApiError | undefined {
  if (isStorageFull(thrown)) return new StorageFullError(thrown);
  return isOutage(thrown) ? new DatabaseUnavailableError(thrown) : undefined;
}
