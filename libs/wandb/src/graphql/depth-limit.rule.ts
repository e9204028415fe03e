import { type ASTVisitor, GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { FragmentSizes } from './fragment-sizes.js';

/** Refuses operations that nest fields deeper than `limit` levels, fragments included. */
export const depthLimit =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const depths = new FragmentSizes(context, {
      field: (_node, below) => 1 + below,
      all: (depths) => Math.max(0, ...depths),
    });
    return {
      OperationDefinition(operation) {
        if (depths.of(operation.selectionSet) <= limit) return;
        context.reportError(new GraphQLError(`The query is deeper than ${limit} levels`, { nodes: operation }));
      },
    };
  };
