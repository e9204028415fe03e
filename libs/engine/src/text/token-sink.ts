/** A growing list of token ids. */
export class TokenSink {
  private ids = new Int32Array(256);
  private length = 0;

  push(id: number): void {
    this.reserve(1);
    this.ids[this.length++] = id;
  }

  append(ids: Int32Array): void {
    this.reserve(ids.length);
    // A loop is faster than `set` for the few tokens of a word.
    if (ids.length > 16) this.ids.set(ids, this.length);
    else for (let i = 0; i < ids.length; i++) this.ids[this.length + i] = ids[i]!;
    this.length += ids.length;
  }

  take(): Int32Array {
    return this.ids.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.ids.length) return;
    const larger = new Int32Array(Math.max(2 * this.ids.length, this.length + more));
    larger.set(this.ids.subarray(0, this.length));
    this.ids = larger;
  }
}
