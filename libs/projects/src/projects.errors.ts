import { ForbiddenError, NotFoundError } from '@heddle/http';

/** Also the answer for what exists but is another team's: nobody learns which. */
export class EntityNotFoundError extends NotFoundError {
  constructor(entity: string) {
    super(`Entity '${entity}' not found, or you are not a member of it`, 'entity_not_found');
  }
}

export class ProjectNotFoundError extends NotFoundError {
  constructor(projectId: string) {
    super(`Project '${projectId}' not found`, 'project_not_found');
  }
}

export class MissingRoleError extends ForbiddenError {
  constructor(role: string, place: string) {
    super(`You need the role '${role}' in ${place}`, 'missing_role');
  }
}
