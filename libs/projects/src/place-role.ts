import type { Membership } from '@heddle/auth';
import { PLACE_ROLES, type PlaceRole } from '@heddle/database';

/** Whether somebody with `role` may do what `needed` may. */
export const includesRole = (role: PlaceRole, needed: PlaceRole): boolean =>
  PLACE_ROLES.indexOf(role) <= PLACE_ROLES.indexOf(needed);

/**
 * A caller's role in a project or a registry. The team's administrators are administrators there whatever was granted, so
 * that no place is ever without one; for all others what was granted wins over what the team gives.
 * @param membership of the team that owns the place
 * @param granted in the place itself
 * @param byDefault what the team's members are there; its viewers are viewers everywhere
 * @returns null for whoever may not know of the place
 */
export function effectiveRole(
  membership: Pick<Membership, 'role'> | undefined,
  granted: PlaceRole | null,
  byDefault: PlaceRole,
): PlaceRole | null {
  if (membership?.role === 'admin') return 'admin';
  if (granted) return granted;
  return membership ? (membership.role === 'viewer' ? 'viewer' : byDefault) : null;
}
