import type { Principal } from '@heddle/auth';
import { GraphQLBoolean, GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { connectionOf } from './connection.js';
import { entityOf, EntityType, type EntitySource } from './entity.type.js';
import type { GraphqlContext } from './graphql-context.js';

const teams = connectionOf<EntitySource>(EntityType);

export const UserType = new GraphQLObjectType<Principal, GraphqlContext>({
  name: 'User',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID), resolve: (user) => user.userId },
    username: { type: new GraphQLNonNull(GraphQLString) },
    admin: { type: new GraphQLNonNull(GraphQLBoolean), resolve: (user) => user.isAdmin },
    entity: {
      type: GraphQLString,
      description: 'Name of the default entity.',
      resolve: (user) => user.defaultTeam,
    },
    defaultEntity: { type: EntityType, resolve: (user) => entityOf(user, user.defaultTeam) },
    teams: {
      type: new GraphQLNonNull(teams.type),
      resolve: (user) => teams.of([...user.teams].map(([name, { teamId }]) => ({ id: teamId, name }))),
    },
  },
});
