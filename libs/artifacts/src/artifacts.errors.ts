import { ApiError, ConflictError, NotFoundError, ValidationError } from '@heddle/http';

export class CollectionNotFoundError extends NotFoundError {
  constructor(name: string, place: string) {
    super(`Collection '${name}' not found in ${place}`, 'collection_not_found');
  }
}

export class CollectionExistsError extends ConflictError {
  constructor(name: string, place: string) {
    super(`There is already a collection '${name}' in ${place}`, 'collection_exists');
  }
}

/** Also for a draft: it is no version yet. */
export class VersionNotFoundError extends NotFoundError {
  constructor(collection: string, version: string) {
    super(`Version '${version}' not found in collection '${collection}'`, 'version_not_found');
  }
}

export class DraftNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Draft '${id}' not found`, 'draft_not_found');
  }
}

/** A version's files never change. */
export class DraftCommittedError extends ConflictError {
  constructor(id: string) {
    super(`'${id}' is a version already: make a new draft`, 'draft_committed');
  }
}

/** What a registry offers is not for the project's members to take away. */
export class VersionLinkedError extends ConflictError {
  constructor(places: string[]) {
    super(`Still linked into ${places.join(', ')}: unlink it there first`, 'version_linked');
  }
}

export class LabelNotFoundError extends NotFoundError {
  constructor(kind: 'alias' | 'tag', name: string) {
    super(`There is no ${kind} '${name}' here`, `${kind}_not_found`);
  }
}

export class ArtifactFileNotFoundError extends NotFoundError {
  constructor(path: string) {
    super(`File '${path}' not found`, 'file_not_found');
  }
}

/** The rest of the body is not read: the connection ends with the answer. */
const CLOSE = { connection: 'close' };

export class FileTooLargeError extends ApiError {
  constructor(maxBytes: number) {
    super(413, 'file_too_large', `A file has at most ${maxBytes} bytes`, CLOSE);
  }
}

/** Somebody has to make room first. */
export class NoRoomForFileError extends ApiError {
  constructor(bytes: number) {
    const message = `There is no room to store a file of ${bytes} bytes; the operator has to make some`;
    super(503, 'storage_full', message, { 'Retry-After': '60', ...CLOSE });
  }
}

export class UploadInterruptedError extends ApiError {
  constructor() {
    super(400, 'upload_interrupted', 'The upload ended before its end', CLOSE);
  }
}

export class RangeNotSatisfiableError extends ApiError {
  constructor(size: number) {
    super(416, 'range_not_satisfiable', `The file has ${size} bytes`, { 'content-range': `bytes */${size}` });
  }
}

export class ContentMismatchError extends ValidationError {
  constructor(loc: string[], expected: string, actual: string) {
    super([{ loc, msg: `The content's SHA-256 is ${actual}`, type: 'sha256_mismatch', input: expected }]);
  }
}
