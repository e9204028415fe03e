import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { entityOf, EntityType } from './entity.type.js';
import type { GraphqlContext } from './graphql-context.js';
import { projectQuery } from './project.query.js';
import { ServerInfoType } from './server-info.type.js';
import { UserType } from './user.type.js';

export const QueryType = new GraphQLObjectType<unknown, GraphqlContext>({
  name: 'Query',
  fields: {
    viewer: {
      type: new GraphQLNonNull(UserType),
      description: 'The owner of the API key.',
      resolve: (_root, _args, { caller }) => caller,
    },
    entity: {
      type: EntityType,
      args: { name: { type: new GraphQLNonNull(GraphQLString) } },
      resolve: (_root, { name }: { name: string }, { caller }) => entityOf(caller, name),
    },
    project: projectQuery,
    model: { ...projectQuery, description: 'The same as `project`.' },
    serverInfo: { type: new GraphQLNonNull(ServerInfoType), resolve: () => ({}) },
  },
});
