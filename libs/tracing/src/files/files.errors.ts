import { ApiError, NotFoundError } from '@heddle/http';

export class FileNotFoundError extends NotFoundError {
  constructor(digest: string) {
    super(`File '${digest}' not found`, 'file_not_found');
  }
}

/** The rest of the form is not read: the connection ends with the answer. */
export class FileTooLargeError extends ApiError {
  constructor(maxBytes: number) {
    super(413, 'file_too_large', `A file may have at most ${maxBytes} bytes`, { connection: 'close' });
  }
}

export class UploadInterruptedError extends ApiError {
  constructor(cause: unknown) {
    super(400, 'upload_interrupted', 'The upload ended before its end', { connection: 'close' }, { cause });
  }
}
