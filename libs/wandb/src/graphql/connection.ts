import { GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';

/** `{edges: [{node}]}`, the form in which the clients read lists. */
export interface Connection<Node> {
  edges: { node: Node }[];
}

/** The connection type of a list of `nodeType`, and what makes one of a list that is at hand. */
export function connectionOf<Node>(nodeType: GraphQLObjectType<Node, GraphqlContext>): {
  type: GraphQLObjectType<Connection<Node>, GraphqlContext>;
  of: (nodes: Node[]) => Connection<Node>;
} {
  const edge = new GraphQLObjectType<{ node: Node }, GraphqlContext>({
    name: `${nodeType.name}Edge`,
    fields: { node: { type: new GraphQLNonNull(nodeType) } },
  });
  return {
    type: new GraphQLObjectType<Connection<Node>, GraphqlContext>({
      name: `${nodeType.name}Connection`,
      fields: { edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))) } },
    }),
    of: (nodes) => ({ edges: nodes.map((node) => ({ node })) }),
  };
}
