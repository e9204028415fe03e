import { type Principal, requireMembership } from '@heddle/auth';
import { connectionOf } from '../graphql/connection.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { memberIdOf } from '../registries/member-id.js';

/** A team that the caller is a member of, or whose project it may use. */
export interface EntitySource {
  id: string;
  name: string;
}

/** What is shown of any user but the caller. */
interface OtherUser {
  userId: string;
  username: string;
}

type UserSource = Principal | OtherUser;

const isCaller = (user: UserSource): user is Principal => 'teams' in user;

/** The caller's team of that name; null for another team's, as for none. */
function entityOf(caller: Principal, name: string | null): EntitySource | null {
  const membership = name ? caller.teams.get(name) : undefined;
  return membership ? { id: membership.teamId, name: name! } : null;
}

const teamsOf = ({ teams }: Principal): EntitySource[] =>
  [...teams].map(([name, { teamId }]) => ({ id: teamId, name }));

const user: FieldResolvers<UserSource> = {
  id: ({ userId }) => memberIdOf(userId),
  name: ({ username }) => username,
  admin: (source) => isCaller(source) && source.isAdmin,
  flags: () => '{}',
  entity: (source) => (isCaller(source) ? source.defaultTeam : null),
  defaultEntity: (source) => (isCaller(source) ? entityOf(source, source.defaultTeam) : null),
  apiKeys: () => connectionOf([]),
  teams: (source) => connectionOf(isCaller(source) ? teamsOf(source) : []),
  organizations: (source) => (isCaller(source) ? teamsOf(source) : []),
};

const entity: FieldResolvers<EntitySource> = {
  isTeam: () => true,
  available: () => false,
  readOnly: () => false,
  readOnlyAdmin: () => false,
  privateOnly: () => true,
  isPaid: () => true,
  codeSavingEnabled: () => true,
  entityType: () => 'organization',
  xxhashDigestsEnabled: () => false,
  defaultAccess: () => 'PRIVATE',
  storageBytes: ({ id, name }, _args, { caller, accounts }) => {
    requireMembership(caller, name);
    return accounts.bytesOf(id);
  },
  members: async ({ id, name }, _args, { caller, accounts }) => {
    requireMembership(caller, name);
    return (await accounts.membersOf(id)).map(({ id: userId, username, role }) => ({
      id: memberIdOf(userId),
      username,
      name: username,
      role,
      admin: role === 'admin',
      pending: false,
    }));
  },
  organization: ({ id, name }) => ({ id, name }),
};

export const accountResolvers: Resolvers = {
  Query: {
    viewer: (_root, _args, { caller }) => caller,
    users: async (_root, { query }: { query?: string | null }, { caller, accounts }) => {
      const found = await accounts.findUsers(caller, query ? { username: query } : {});
      return connectionOf(found.map(({ id, username }) => ({ userId: id, username })));
    },
    entity: (_root, { name }: { name?: string | null }, { caller }) => entityOf(caller, name || caller.defaultTeam),
    organization: (_root, { name }: { name: string }, { caller }) => entityOf(caller, name || caller.defaultTeam),
  },
  User: user,
  Entity: entity,
  Organization: {
    orgEntity: (organization: EntitySource) => organization,
    coreWeaveOrganizationId: () => null,
    advancedRegistryFeatures: () => ({ advancedSearch: false }),
  },
};
