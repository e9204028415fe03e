import { ByteSink } from './byte-sink.js';
import type { SlicedWork } from './sliced-work.js';

/** Replaces invalid UTF-8 by U+FFFD, as decoding and encoding again would, without a string of the whole body. */
export class Utf8Repair implements SlicedWork<Buffer> {
  private readonly decoder = new TextDecoder();
  private readonly sink: ByteSink;
  private at = 0;

  constructor(private readonly bytes: Buffer) {
    // A bad byte becomes the three of U+FFFD.
    this.sink = new ByteSink(3 * bytes.length);
  }

  step(budget: number): boolean {
    const end = Math.min(this.bytes.length, this.at + budget);
    const stream = end < this.bytes.length;
    this.sink.write(Buffer.from(this.decoder.decode(this.bytes.subarray(this.at, end), { stream })));
    this.at = end;
    return !stream;
  }

  result(): Buffer {
    return this.sink.result();
  }
}
