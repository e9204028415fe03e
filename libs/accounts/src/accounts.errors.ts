import { ConflictError, NotFoundError } from '@heddle/http';

export class UserNotFoundError extends NotFoundError {
  constructor(username: string) {
    super(`User '${username}' not found`, 'user_not_found');
  }
}

export class MemberNotFoundError extends NotFoundError {
  constructor(username: string, team: string) {
    super(`User '${username}' is not a member of team '${team}'`, 'member_not_found');
  }
}

/** Also the answer for another user's key. */
export class ApiKeyNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`API key '${id}' not found, or revoked`, 'api_key_not_found');
  }
}

export class NameTakenError extends ConflictError {
  constructor(kind: 'user' | 'team', name: string) {
    super(`There is already a ${kind} named '${name}'`, 'name_taken');
  }
}

/** Deleting is for good, so it takes the name. */
export class DeletionNotConfirmedError extends ConflictError {
  constructor(kind: 'team' | 'project', name: string) {
    super(`Confirm the deletion with the ${kind}'s name: ?confirm=${name}`, 'deletion_not_confirmed');
  }
}

/** Nobody could let anybody in again. */
export class LastAdminError extends ConflictError {
  constructor(username: string, place: string) {
    super(`'${username}' is the last administrator of ${place}: make another one first`, 'last_admin');
  }
}
