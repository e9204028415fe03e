import type { Principal } from '@heddle/auth';
import { GraphQLBoolean, GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';

/** A team that the caller is a member of. */
export interface EntitySource {
  id: string;
  name: string;
}

/** The caller's team of that name; null for another team's, as for none. */
export function entityOf(caller: Principal, name: string | null | undefined): EntitySource | null {
  const membership = name ? caller.teams.get(name) : undefined;
  return membership ? { id: membership.teamId, name: name! } : null;
}

export const EntityType = new GraphQLObjectType<EntitySource, GraphqlContext>({
  name: 'Entity',
  description: 'A team: the owner of projects.',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    name: { type: new GraphQLNonNull(GraphQLString) },
    isTeam: { type: new GraphQLNonNull(GraphQLBoolean), resolve: () => true },
    readOnly: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether the caller may only read. Every member may write.',
      resolve: () => false,
    },
  },
});
