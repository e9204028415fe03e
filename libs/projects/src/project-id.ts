import { ValidationError } from '@heddle/http';

/** The two names in an `entity/project` id. */
export interface ProjectName {
  entity: string;
  project: string;
}

/** Longest name of a team or a project, in characters. */
export const MAX_NAME_LENGTH = 128;

/**
 * Splits an `entity/project` id. Names may hold any printable characters but a slash, as the SDKs send them.
 * @param loc where the id stands in the request, for the error
 */
export function parseProjectId(projectId: unknown, loc: (string | number)[] = ['body', 'project_id']): ProjectName {
  if (projectId === undefined) throw ValidationError.at(loc, 'project_id is required', 'missing');
  const [entity, project, ...rest] = typeof projectId === 'string' ? projectId.split('/') : [];
  if (!isName(entity) || !isName(project) || rest.length > 0) {
    throw ValidationError.at(loc, "project_id must be 'entity/project'", 'project_id', projectId);
  }
  return { entity, project };
}

function isName(name: string | undefined): name is string {
  // Control characters and lone surrogates can't be stored, and no honest name has them.
  return name !== undefined && name.length > 0 && name.length <= MAX_NAME_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(name);
}
