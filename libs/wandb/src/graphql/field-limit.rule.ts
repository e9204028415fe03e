import { type ASTVisitor, GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { FragmentSizes } from './fragment-sizes.js';

/** Refuses operations that select more than `limit` fields, with fragments in each of their places. */
export const fieldLimit =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const counts = new FragmentSizes(context, {
      field: (_node, below) => 1 + below,
      all: (counts) => counts.reduce((sum, count) => sum + count, 0),
    });
    return {
      OperationDefinition(operation) {
        if (counts.of(operation.selectionSet) <= limit) return;
        context.reportError(new GraphQLError(`The query selects more than ${limit} fields`, { nodes: operation }));
      },
    };
  };
