import { EntityNotFoundError, MissingRoleError } from './auth.errors.js';
import type { Membership, Principal } from './principal.js';

/** The caller's membership of a team. Whoever is not a member learns nothing, not even that the team exists. */
export function requireMembership(caller: Principal, team: string): Membership {
  const membership = caller.teams.get(team);
  if (!membership) throw new EntityNotFoundError(team);
  return membership;
}

/** As {@link requireMembership}, for what the team's viewers may not do. */
export function requireTeamMember(caller: Principal, team: string): Membership {
  const membership = requireMembership(caller, team);
  if (membership.role === 'viewer') throw new MissingRoleError('member', `team '${team}'`);
  return membership;
}

/** As {@link requireMembership}, for what only the team's administrators may do. */
export function requireTeamAdmin(caller: Principal, team: string): Membership {
  const membership = requireMembership(caller, team);
  if (membership.role !== 'admin') throw new MissingRoleError('admin', `team '${team}'`);
  return membership;
}

/** For what only administrators of the instance may do. */
export function requireInstanceAdmin(caller: Principal): void {
  if (!caller.isAdmin) throw new MissingRoleError('admin', 'this instance');
}
