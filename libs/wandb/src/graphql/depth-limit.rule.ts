import {
  type ASTVisitor,
  GraphQLError,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/**
 * Refuses operations that nest fields deeper than `limit` levels, fragments included. Introspection is not counted: its
 * own standard query is deeper, and graphql-js bounds it (MaxIntrospectionDepthRule).
 */
export const depthLimit =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const depths = new FragmentDepths(context);
    return {
      OperationDefinition(operation) {
        if (depths.of(operation.selectionSet) <= limit) return;
        context.reportError(new GraphQLError(`The query is deeper than ${limit} levels`, { nodes: operation }));
      },
    };
  };

class FragmentDepths {
  /** Each fragment is measured once: spread twice at every level, it would take 2^n visits. */
  private readonly known = new Map<string, number>();

  constructor(private readonly context: ValidationContext) {}

  of({ selections }: SelectionSetNode): number {
    let deepest = 0;
    for (const selection of selections) {
      if (selection.kind === 'InlineFragment') deepest = Math.max(deepest, this.of(selection.selectionSet));
      else if (selection.kind === 'FragmentSpread') deepest = Math.max(deepest, this.ofFragment(selection.name.value));
      else if (!selection.name.value.startsWith('__')) {
        deepest = Math.max(deepest, 1 + (selection.selectionSet ? this.of(selection.selectionSet) : 0));
      }
    }
    return deepest;
  }

  private ofFragment(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    // Stands while the fragment is measured, for one that contains itself: another rule refuses that.
    this.known.set(name, 0);
    const fragment = this.context.getFragment(name);
    const depth = fragment ? this.of(fragment.selectionSet) : 0;
    this.known.set(name, depth);
    return depth;
  }
}
