import type { Principal } from '@heddle/auth';
import { NoDefaultEntityError } from './projects.errors.js';

/** The entity that a request means: the one it names, or the caller's default one for null. Says nothing of access. */
export function resolveEntity(caller: Principal, entity: string | null | undefined): string {
  const resolved = entity ?? caller.defaultTeam;
  if (resolved === null) throw new NoDefaultEntityError();
  return resolved;
}
