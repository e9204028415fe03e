import { ApiError, ConflictError, NotFoundError } from '@heddle/http';

/** It is no archive of Heddle's, was cut off, or holds what no archive of Heddle's holds. Nothing of it was written. */
export class ArchiveInvalidError extends ApiError {
  constructor(problem: string, options?: ErrorOptions) {
    super(400, 'archive_invalid', `${problem}: nothing was imported`, {}, options);
  }
}

/** Another server made it, which knows more than this one. */
export class ArchiveTooNewError extends ApiError {
  constructor(what: string) {
    super(400, 'archive_too_new', `A newer Heddle made this archive: update this one first (${what})`);
  }
}

export class ArchiveEntryTooLargeError extends ApiError {
  constructor(name: string, maxBytes: number) {
    super(
      413,
      'archive_entry_too_large',
      `The archive's ${name} has more than ${maxBytes} bytes: nothing was imported`,
    );
  }
}

export class NoRoomForArchiveError extends ApiError {
  constructor() {
    super(503, 'storage_full', 'There is no room to store this; the operator has to make some', {
      'Retry-After': '60',
    });
  }
}

/** Each export and import has a connection to the database to itself. */
export class TooManyArchivesError extends ApiError {
  constructor() {
    super(429, 'archives_busy', 'As many archives as this server works on at once are under way', {
      'Retry-After': '10',
    });
  }
}

export class NameTakenError extends ConflictError {
  constructor(taken: readonly string[]) {
    const [are, others] = taken.length === 1 ? ['is', 'another one'] : ['are', 'others'];
    super(
      `The project has ${taken.join(', ')} already, which ${are} ${others}: nothing was imported`,
      'archive_conflict',
    );
  }
}

/** Somebody wrote the same, or removed a content, at this moment. */
export class ImportDisturbedError extends ConflictError {
  constructor(options?: ErrorOptions) {
    super(
      'The project changed while the archive came, or the archive holds something twice: try again',
      'import_disturbed',
    );
    if (options) this.cause = options.cause;
  }
}

export class ChosenRunsNotFoundError extends NotFoundError {
  constructor(names: readonly string[]) {
    super(`The project has no run ${names.map((name) => `'${name}'`).join(', ')}`, 'run_not_found');
  }
}

/** Whatever is removed while it is being taken makes it begin anew, and that too often. */
export class ContentsChangingError extends ConflictError {
  constructor() {
    super('Files of the project are being deleted at this moment: try again', 'contents_changing');
  }
}

/** A content is held, and isn't in the store of the files all the same: somebody else took it away. */
export class ContentMissingError extends Error {
  constructor(sha256: string) {
    super(`the content ${sha256} is missing`);
    this.name = 'ContentMissingError';
  }
}
