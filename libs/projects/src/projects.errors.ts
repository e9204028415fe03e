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

/** A null entity stands for the caller's default one, and there is none. */
export class NoDefaultEntityError extends ValidationError {
  constructor() {
    super([{ loc: ['body', 'entity'], msg: 'You have no default entity: name one', type: 'no_default_entity' }]);
  }
}
