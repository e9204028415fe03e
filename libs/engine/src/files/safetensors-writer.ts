import type { FileHandle } from 'node:fs/promises';
import { writeNewFile, writeWholeFile } from './durable-write.js';
import { encodeFloat16 } from './half-float.js';
import { formatHeader, type TensorEntry } from './safetensors-header.js';

export interface NamedTensor {
  name: string;
  shape: readonly number[];
  /** Row-major. Read while writing: it must neither change nor be detached until then. */
  data: Float32Array;
}

export interface WriteOptions {
  /** F16 rounds to nearest, ties to even. */
  dtype: 'F32' | 'F16';
  metadata?: Readonly<Record<string, string>>;
}

const CHUNK = 2 ** 18;

/** Writes or replaces a file. The same tensors give the same bytes. */
export function writeSafetensors(path: string, tensors: Iterable<NamedTensor>, options: WriteOptions): Promise<void> {
  const all = [...tensors];
  return writeWholeFile(path, (file) => writeAll(file, all, options));
}

/** The same for a file in a directory that is itself written whole. */
export function writeNewSafetensors(
  path: string,
  tensors: Iterable<NamedTensor>,
  options: WriteOptions,
): Promise<void> {
  const all = [...tensors];
  return writeNewFile(path, (file) => writeAll(file, all, options));
}

async function writeAll(file: FileHandle, tensors: NamedTensor[], { dtype, metadata }: WriteOptions): Promise<void> {
  // transformers refuses a file that doesn't say for whom it was written.
  await writeBytes(file, formatHeader(layOut(tensors, dtype), { format: 'pt', ...metadata }));
  const halves = new Uint16Array(CHUNK);
  for (const { data } of tensors) {
    if (dtype === 'F32') await writeBytes(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    else await writeHalves(file, data, halves);
  }
}

function layOut(tensors: NamedTensor[], dtype: 'F32' | 'F16'): TensorEntry[] {
  const names = new Set(['__metadata__']);
  let begin = 0;
  return tensors.map(({ name, shape, data }) => {
    if (names.has(name)) throw new TypeError(`two tensors named ${name}`);
    names.add(name);
    const length = shape.reduce((product, size) => product * size, 1);
    if (length !== data.length) throw new TypeError(`${name}: ${data.length} values for shape [${shape.join(', ')}]`);
    const entry = { name, dtype, shape, length, begin, end: begin + length * (dtype === 'F32' ? 4 : 2) };
    begin = entry.end;
    return entry;
  });
}

async function writeHalves(file: FileHandle, data: Float32Array, halves: Uint16Array): Promise<void> {
  for (let from = 0; from < data.length; from += CHUNK) {
    const values = data.subarray(from, from + CHUNK);
    encodeFloat16(values, halves);
    await writeBytes(file, new Uint8Array(halves.buffer, 0, values.length * 2));
  }
}

async function writeBytes(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.length - done, 2 ** 30));
    done += bytesWritten;
  }
}
