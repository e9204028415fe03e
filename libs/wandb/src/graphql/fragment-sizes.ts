import type { FieldNode, SelectionSetNode, ValidationContext } from 'graphql';

/** What a field counts by itself and with what is selected below it; `all` joins the selections beside each other. */
export interface Measure {
  field(node: FieldNode, below: number): number;
  all(sizes: readonly number[]): number;
}

/** Measures selections with their fragments in place. */
export class FragmentSizes {
  /** Each fragment is measured once: spread twice at every level, it would take 2^n visits. */
  private readonly known = new Map<string, number>();

  constructor(
    private readonly context: ValidationContext,
    private readonly measure: Measure,
  ) {}

  of({ selections }: SelectionSetNode): number {
    const sizes = selections.map((selection) => {
      if (selection.kind === 'InlineFragment') return this.of(selection.selectionSet);
      if (selection.kind === 'FragmentSpread') return this.ofFragment(selection.name.value);
      // Introspection is not counted: its own standard query is deeper, and graphql-js bounds it (MaxIntrospectionDepthRule).
      if (selection.name.value.startsWith('__')) return 0;
      return this.measure.field(selection, selection.selectionSet ? this.of(selection.selectionSet) : 0);
    });
    return this.measure.all(sizes);
  }

  private ofFragment(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    // Stands while the fragment is measured, for one that contains itself: another rule refuses that.
    this.known.set(name, 0);
    const fragment = this.context.getFragment(name);
    const size = fragment ? this.of(fragment.selectionSet) : 0;
    this.known.set(name, size);
    return size;
  }
}
