import { ConflictError, NotFoundError } from '@heddle/http';

export class RunNotFoundError extends NotFoundError {
  constructor(name: string, project: string) {
    super(`Run '${name}' not found in project '${project}'`, 'run_not_found');
  }
}

export class RunExistsError extends ConflictError {
  constructor(name: string, project: string) {
    super(`There is already a run '${name}' in project '${project}'`, 'run_exists');
  }
}
