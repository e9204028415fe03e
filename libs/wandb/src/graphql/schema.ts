import { GraphQLSchema } from 'graphql';
import { MutationType } from './mutation.type.js';
import { QueryType } from './query.type.js';

/** What official clients ask `/graphql` for. One file for each type; a new root field is a line in Query or Mutation. */
export const schema = new GraphQLSchema({ query: QueryType, mutation: MutationType });
