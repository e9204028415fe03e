import type { Principal } from '@heddle/auth';
import { parseProjectId, type ProjectName, resolveEntity } from '@heddle/projects';

/** Where runs go whose program names no project. */
const DEFAULT_PROJECT = 'uncategorized';

/** The project that a client means: of no entity, null and '' alike, it is the caller's default one. */
export function projectNameOf(
  caller: Principal,
  entity: string | null | undefined,
  project: string | null | undefined,
): ProjectName {
  return parseProjectId(`${resolveEntity(caller, entity || null)}/${project || DEFAULT_PROJECT}`, [
    'variables',
    'project',
  ]);
}
