import type { GraphqlContext } from './graphql-context.js';

/** How the fields of one type are answered from what stands for it; a field that isn't here is its property. */
export type FieldResolvers<Source> = Record<string, (source: Source, args: never, context: GraphqlContext) => unknown>;

/** By type. */
export type Resolvers = Readonly<Record<string, FieldResolvers<never>>>;
