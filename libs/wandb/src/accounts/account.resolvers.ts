import type { Principal } from '@heddle/auth';
import { connectionOf } from '../graphql/connection.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';

/** A team that the caller is a member of, or whose project it may use. */
export interface EntitySource {
  id: string;
  name: string;
}

/** The caller's team of that name; null for another team's, as for none. */
function entityOf(caller: Principal, name: string | null): EntitySource | null {
  const membership = name ? caller.teams.get(name) : undefined;
  return membership ? { id: membership.teamId, name: name! } : null;
}

const user: FieldResolvers<Principal> = {
  id: ({ userId }) => userId,
  name: ({ username }) => username,
  admin: ({ isAdmin }) => isAdmin,
  flags: () => '{}',
  entity: ({ defaultTeam }) => defaultTeam,
  defaultEntity: (caller) => entityOf(caller, caller.defaultTeam),
  apiKeys: () => connectionOf([]),
  teams: ({ teams }) => connectionOf([...teams].map(([name, { teamId }]) => ({ id: teamId, name }))),
};

const entity: FieldResolvers<EntitySource> = {
  isTeam: () => true,
  readOnly: () => false,
  xxhashDigestsEnabled: () => false,
};

export const accountResolvers: Resolvers = {
  Query: {
    viewer: (_root, _args, { caller }) => caller,
    entity: (_root, { name }: { name: string }, { caller }) => entityOf(caller, name || caller.defaultTeam),
  },
  User: user,
  Entity: entity,
};
