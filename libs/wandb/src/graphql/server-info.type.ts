import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';

export const ServerInfoType = new GraphQLObjectType<unknown, GraphqlContext>({
  name: 'ServerInfo',
  fields: {
    frontendHost: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'Base URL of links for users.',
      resolve: (_info, _args, { publicUrl }) => publicUrl,
    },
  },
});
