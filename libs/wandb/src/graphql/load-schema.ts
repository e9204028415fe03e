import { readFileSync } from 'node:fs';
import {
  buildSchema,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
} from 'graphql';
import { guarded } from '../places/hidden-places.js';
import type { GraphqlContext } from './graphql-context.js';
import type { Resolvers } from './resolvers.js';
import { defineScalar } from './scalars.js';

const SDL = new URL('./schema.graphql', import.meta.url);

/** The schema that stands in schema.graphql, answered by these resolvers. @throws where one answers a field that isn't there */
export function loadSchema(...resolvers: Resolvers[]): GraphQLSchema {
  const schema = buildSchema(readFileSync(SDL, 'utf8'));
  for (const type of Object.values(schema.getTypeMap())) if (isScalarType(type)) defineScalar(type);
  for (const [typeName, fields] of resolvers.map(guarded).flatMap(Object.entries<Resolvers[string]>)) {
    const type = schema.getType(typeName);
    for (const [name, resolve] of Object.entries(fields)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (!field) throw new GraphQLError(`The schema has no ${typeName}.${name}`);
      field.resolve = resolve as unknown as GraphQLFieldResolver<unknown, GraphqlContext>;
    }
  }
  return schema;
}
