import { ApiError } from '@heddle/http';

const SOON_SECONDS = '5';

/** The store of the files doesn't answer, or doesn't let us in; the log has its reason. */
export class FilesUnavailableError extends ApiError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': SOON_SECONDS };
    super(503, 'files_unavailable', 'The store of the files does not answer; try again', headers, { cause });
  }
}
