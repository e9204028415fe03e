import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';

export class ProjectNotFoundError extends NotFoundError {
  constructor(projectId: string) {
    super(`Project '${projectId}' not found`, 'project_not_found');
  }
}

export class ProjectExistsError extends ConflictError {
  constructor(projectId: string) {
    super(`There is already a project '${projectId}'`, 'project_exists');
  }
}

/** Refs say 'entity/name/collection' of both, and must not be ambiguous. */
export class RegistryNameError extends ConflictError {
  constructor(name: string) {
    super(`The team has a registry '${name}': a project needs another name`, 'registry_name');
  }
}

/** A null entity stands for the caller's default one, and there is none. */
export class NoDefaultEntityError extends ValidationError {
  constructor() {
    super([{ loc: ['body', 'entity'], msg: 'You have no default entity: name one', type: 'no_default_entity' }]);
  }
}

/** The user's role, if any, is what the team gives. */
export class PlaceMemberNotFoundError extends NotFoundError {
  constructor(username: string, place: string) {
    super(`User '${username}' was granted no role in ${place}`, 'member_not_found');
  }
}

export class UserNotFoundError extends NotFoundError {
  constructor(username: string) {
    super(`User '${username}' not found`, 'user_not_found');
  }
}

/** A weaker role in one place would mean nothing to somebody who administers the team that owns it. */
export class TeamAdminRoleError extends ConflictError {
  constructor(username: string, entity: string) {
    super(`'${username}' is an administrator of team '${entity}', and so in all that it owns`, 'team_admin_role');
  }
}
