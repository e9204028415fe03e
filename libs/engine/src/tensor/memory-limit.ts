/** What several memories may take together: each counts with all that it has grown to. */
export class MemoryLimit {
  private readonly memories = new Set<{ readonly bytes: number }>();

  constructor(readonly bytes: number) {}

  get free(): number {
    let used = 0;
    for (const memory of this.memories) used += memory.bytes;
    return this.bytes - used;
  }

  join(memory: { readonly bytes: number }): void {
    this.memories.add(memory);
  }

  /** For a memory that nobody uses any more. */
  leave(memory: { readonly bytes: number }): void {
    this.memories.delete(memory);
  }
}
