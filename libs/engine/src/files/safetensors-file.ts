import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { decodeBfloat16, decodeFloat16 } from './half-float.js';
import { unreadable } from './read-files.js';
import {
  broken,
  MAX_HEADER_BYTES,
  parseHeader,
  type SafetensorsHeader,
  type TensorEntry,
} from './safetensors-header.js';

/** Elements of a 16-bit tensor that are in memory beside their f32 values. */
const CHUNK = 2 ** 18;

/** An open file of tensors, read one at a time and never as a whole. Not for use from several threads. */
export class SafetensorsFile {
  private constructor(
    /** Of the file, without its directory. */
    readonly name: string,
    private readonly descriptor: number,
    private readonly dataStart: number,
    private readonly header: SafetensorsHeader,
  ) {}

  /** @throws EngineError `bad_model` for a missing, truncated or contradictory file. */
  static open(path: string): SafetensorsFile {
    const name = basename(path);
    const descriptor = attempt(name, () => openSync(path, 'r'));
    try {
      const { dataStart, header } = readHeader(name, descriptor);
      return new SafetensorsFile(name, descriptor, dataStart, header);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.header.metadata;
  }

  names(): string[] {
    return [...this.header.tensors.keys()];
  }

  has(name: string): boolean {
    return this.header.tensors.has(name);
  }

  /** @throws EngineError if there is no such tensor. */
  shape(name: string): readonly number[] {
    return this.entry(name).shape;
  }

  /**
   * A tensor's values, row-major, as f32.
   * @param into where to put them, of exactly their number; may lie in shared memory.
   * @throws EngineError if there is no such tensor, or if it is not F32, F16 or BF16.
   */
  read(name: string, into?: Float32Array): Float32Array {
    const entry = this.entry(name);
    const { dtype, length } = entry;
    if (into && into.length !== length) throw new RangeError(`${name} has ${length} elements, not ${into.length}`);
    const decode = dtype === 'F16' ? decodeFloat16 : dtype === 'BF16' ? decodeBfloat16 : null;
    if (!decode && dtype !== 'F32') throw broken(this.name, `${name}: ${dtype}, expected F32, F16 or BF16`);
    const values = into ?? new Float32Array(length);
    if (decode) this.readHalves(entry, values, decode);
    else this.readBytes(name, new Uint8Array(values.buffer, values.byteOffset, values.byteLength), entry.begin);
    return values;
  }

  /** The type that the file has for a tensor. */
  dtype(name: string): string {
    return this.entry(name).dtype;
  }

  /** Fills `into` with the elements of a 16-bit tensor, as they are, from the element `from` on. */
  readBits(name: string, from: number, into: Uint16Array): void {
    const entry = this.entry(name);
    if (from + into.length > entry.length) throw new RangeError(`${name} has ${entry.length} elements`);
    this.readBytes(name, new Uint8Array(into.buffer, into.byteOffset, into.byteLength), entry.begin + from * 2);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private entry(name: string): TensorEntry {
    const entry = this.header.tensors.get(name);
    if (!entry) throw broken(this.name, `${name} is missing`);
    return entry;
  }

  private readHalves(entry: TensorEntry, values: Float32Array, decode: typeof decodeFloat16): void {
    const chunk = new Uint16Array(Math.min(CHUNK, entry.length));
    for (let from = 0; from < entry.length; from += CHUNK) {
      const halves = chunk.subarray(0, Math.min(CHUNK, entry.length - from));
      this.readBytes(entry.name, new Uint8Array(halves.buffer, 0, halves.byteLength), entry.begin + from * 2);
      decode(halves, values.subarray(from, from + halves.length));
    }
  }

  private readBytes(tensor: string, into: Uint8Array, offset: number): void {
    readFully(this.name, tensor, this.descriptor, into, this.dataStart + offset);
  }
}

function readHeader(name: string, descriptor: number): { dataStart: number; header: SafetensorsHeader } {
  const { size } = attempt(name, () => fstatSync(descriptor));
  if (size < 8) throw broken(name, `${size} bytes are no safetensors file`);
  const prefix = Buffer.alloc(8);
  readFully(name, 'header', descriptor, prefix, 0);
  const length = Number(prefix.readBigUInt64LE());
  if (length > size - 8) throw broken(name, `a header of ${length} bytes in a file of ${size}`);
  if (length > MAX_HEADER_BYTES) throw broken(name, `a header of ${length} bytes, more than ${MAX_HEADER_BYTES}`);
  const json = Buffer.alloc(length);
  readFully(name, 'header', descriptor, json, 8);
  const dataStart = 8 + length;
  return { dataStart, header: parseHeader(name, json, size - dataStart) };
}

/** One read returns at most 2 GiB, and less where the file became shorter since it was opened. */
function readFully(file: string, what: string, descriptor: number, into: Uint8Array, offset: number): void {
  for (let done = 0; done < into.length;) {
    const wanted = Math.min(into.length - done, 2 ** 30);
    const read = attempt(file, () => readSync(descriptor, into, done, wanted, offset + done));
    if (read === 0) throw broken(file, `${what}: the file ended early`);
    done += read;
  }
}

function attempt<T>(file: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw unreadable(file, error);
  }
}
