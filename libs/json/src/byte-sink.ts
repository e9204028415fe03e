const SHORT = 32;

/** Bytes collected into one Buffer. The capacity is a bound, not a guess: what is never written is never paged in. */
export class ByteSink {
  private readonly bytes: Buffer;
  private length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  write(source: Uint8Array, start = 0, end = source.length): void {
    const { bytes, length } = this;
    // A view costs more than to copy a few bytes one by one.
    if (end - start > SHORT) bytes.set(source.subarray(start, end), length);
    else for (let at = start, to = length; at < end; at++, to++) bytes[to] = source[at]!;
    this.length = length + end - start;
  }

  result(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
