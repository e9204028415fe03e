import { ApiError, NotFoundError } from '@heddle/http';

export class FileNotFoundError extends NotFoundError {
  constructor(digest: string) {
    super(`File '${digest}' not found`, 'file_not_found');
  }
}

export class FileTooLargeError extends ApiError {
  constructor(maxBytes: number) {
    super(413, 'file_too_large', `A file may have at most ${maxBytes} bytes`);
  }
}
