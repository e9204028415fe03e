import { ConflictError, NotFoundError } from '@heddle/http';

export class ObjectNotFoundError extends NotFoundError {
  constructor(objectId: string, version: string) {
    super(`Object '${objectId}:${version}' not found`, 'object_not_found');
  }
}

export class ObjectDeletedError extends NotFoundError {
  /** SDKs make a reference to something deleted of it, where they would raise otherwise. */
  override readonly members: { deleted_at: string };

  constructor(objectId: string, version: string, deletedAt: string) {
    super(`Object '${objectId}:${version}' was deleted at ${deletedAt}`, 'object_deleted');
    this.members = { deleted_at: deletedAt };
  }
}

/** The SDKs answer a 409 by sending again without a digest of their own. */
export class DigestMismatchError extends ConflictError {
  constructor(expected: string, computed: string) {
    super(`Expected digest ${expected}, but the content's is ${computed}`, 'digest_mismatch');
  }
}
