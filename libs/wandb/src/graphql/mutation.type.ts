import { GraphQLObjectType } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';
import { upsertModelMutation } from './upsert-model.mutation.js';

export const MutationType = new GraphQLObjectType<unknown, GraphqlContext>({
  name: 'Mutation',
  fields: { upsertModel: upsertModelMutation },
});
