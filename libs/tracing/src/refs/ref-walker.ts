import { indexJson, type JsonNode } from '@heddle/json';
import { parseTraceRef, type TraceRef, type TraceRefTarget } from './trace-ref.js';

/** A value that a reference needs next, out of the database. */
export interface RefLookup {
  project: TraceRef['project'];
  /** A row of a table is known by its own digest. */
  target: TraceRefTarget | { type: 'row'; digest: string };
}

/** References within references that are followed. */
const MAX_LOOKUPS = 10;

/**
 * Follows one reference. The walker asks for a value, is given it, and goes on from there: into its members, and from a
 * string that is a reference itself to what that names. Many walkers' lookups are answered together.
 */
export class RefWalker {
  /** What is needed next; null at the end. */
  lookup: RefLookup | null = null;
  /** JSON text of what was found; null where nothing is. */
  result: Buffer | null = null;
  private path: TraceRef['path'] = [];
  private lookups = 0;

  constructor(ref: string) {
    this.follow(ref, []);
  }

  /** @param val JSON text of what was asked for, or null */
  async give(val: Buffer | null): Promise<void> {
    this.lookup = null;
    if (!val) return;
    let node: JsonNode | undefined = await indexJson(val, { depth: 1 });
    while (node && this.path.length > 0) {
      const text: string | undefined = node.string();
      if (text !== undefined) {
        this.follow(text, this.path);
        return;
      }
      node = this.step(node);
    }
    this.result = node ? node.raw() : null;
  }

  private step(node: JsonNode): JsonNode | undefined {
    const step = this.path.shift()!;
    if ('key' in step) return node.get(step.key);
    if ('row' in step) return undefined;
    let i = 0;
    for (const item of node.items()) if (i++ === step.index) return item;
    return undefined;
  }

  private follow(text: string, rest: TraceRef['path']): void {
    const ref = parseTraceRef(text);
    if (!ref || this.lookups++ === MAX_LOOKUPS) return;
    this.path = [...ref.path, ...rest];
    this.lookup = { project: ref.project, target: ref.target };
    if (ref.target.type !== 'table') return;
    const step = this.path.shift();
    // A table itself has no value but its rows.
    this.lookup = step && 'row' in step ? { project: ref.project, target: { type: 'row', digest: step.row } } : null;
  }
}
