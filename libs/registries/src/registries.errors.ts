import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';

export class RegistryNotFoundError extends NotFoundError {
  constructor(registry: string) {
    super(`Registry '${registry}' not found`, 'registry_not_found');
  }
}

export class RegistryExistsError extends ConflictError {
  constructor(registry: string) {
    super(`There is already a registry '${registry}'`, 'registry_exists');
  }
}

/** Refs say 'entity/name/collection' of both, and must not be ambiguous. */
export class ProjectNameError extends ConflictError {
  constructor(name: string) {
    super(`The team has a project '${name}': a registry needs another name`, 'project_name');
  }
}

/** A registry shows a version's metadata to all its members: only the team itself decides that for its projects. */
export class OtherTeamError extends ValidationError {
  constructor(entity: string) {
    super([{ loc: ['body', 'artifact'], msg: `must be an artifact of team '${entity}'`, type: 'other_team' }]);
  }
}

export class OtherTypeError extends ValidationError {
  constructor(expected: string, actual: string) {
    const msg = `is of type '${actual}', and the collection holds '${expected}'`;
    super([{ loc: ['body', 'artifact'], msg, type: 'artifact_type' }]);
  }
}
