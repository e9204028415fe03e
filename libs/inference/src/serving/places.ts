/** How many there are of each, and no more than may be. */
export class Places<Key> {
  private readonly taken = new Map<Key, number>();

  constructor(private readonly limit: number) {}

  isFull(key: Key): boolean {
    return (this.taken.get(key) ?? 0) >= this.limit;
  }

  take(key: Key): void {
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }

  free(key: Key): void {
    const left = this.taken.get(key)! - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}
