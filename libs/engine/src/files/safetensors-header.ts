import { EngineError } from '../protocol/engine.errors.js';

/** Format: https://github.com/huggingface/safetensors#format. Its own reader allows 100 MB; this is some 100,000 tensors. */
export const MAX_HEADER_BYTES = 16 * 2 ** 20;

/** Bytes of one element. Only the floats of 16 and 32 bits can be read; the others may lie in the same file. */
const ELEMENT_BYTES: ReadonlyMap<string, number> = new Map([
  ...['BOOL', 'U8', 'I8', 'F8_E4M3', 'F8_E5M2', 'F8_E8M0'].map((dtype) => [dtype, 1] as const),
  ...['U16', 'I16', 'F16', 'BF16'].map((dtype) => [dtype, 2] as const),
  ...['U32', 'I32', 'F32'].map((dtype) => [dtype, 4] as const),
  ...['U64', 'I64', 'F64', 'C64'].map((dtype) => [dtype, 8] as const),
]);

export interface TensorEntry {
  name: string;
  dtype: string;
  shape: readonly number[];
  /** Number of elements. */
  length: number;
  /** First byte and the byte after the last, counted from the end of the header. */
  begin: number;
  end: number;
}

export interface SafetensorsHeader {
  tensors: ReadonlyMap<string, TensorEntry>;
  metadata: Readonly<Record<string, string>>;
}

/**
 * Reads the JSON of a header whose tensors must cover the `dataBytes` after it without gap or overlap.
 * @throws EngineError that names `file` and the tensor.
 */
export function parseHeader(file: string, bytes: Uint8Array, dataBytes: number): SafetensorsHeader {
  const entries = Object.entries(parseObject(file, bytes));
  const tensors = new Map<string, TensorEntry>();
  let metadata: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (name === '__metadata__') metadata = checkedMetadata(file, value);
    else tensors.set(name, checkedEntry(file, name, value));
  }
  checkCoverage(file, [...tensors.values()], dataBytes);
  return { tensors, metadata };
}

/** The header with its length in front, padded so that the data begin at a multiple of 8, which the format asks for. */
export function formatHeader(tensors: Iterable<TensorEntry>, metadata: Readonly<Record<string, string>>): Buffer {
  const object: [string, unknown][] = [['__metadata__', metadata]];
  for (const { name, dtype, shape, begin, end } of tensors) {
    object.push([name, { dtype, shape, data_offsets: [begin, end] }]);
  }
  const json = Buffer.from(JSON.stringify(Object.fromEntries(object)));
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - 8));
  json.copy(header, 8);
  return header;
}

function parseObject(file: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    // The data of a huge file must not be mistaken for a header: the format asks for the brace.
    if (bytes[0] !== 0x7b) throw new SyntaxError();
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as Record<
      string,
      unknown
    >;
  } catch {
    throw broken(file, 'the header is not a JSON object');
  }
}

function checkedMetadata(file: string, value: unknown): Record<string, string> {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!object || !Object.values(value).every((text) => typeof text === 'string')) {
    throw broken(file, '__metadata__ must map strings to strings');
  }
  return value as Record<string, string>;
}

function checkedEntry(file: string, name: string, value: unknown): TensorEntry {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  const bytes = typeof dtype === 'string' ? ELEMENT_BYTES.get(dtype) : undefined;
  if (bytes === undefined) throw broken(file, `${name}: unknown dtype ${JSON.stringify(dtype)}`);
  if (!isCounts(shape)) throw broken(file, `${name}: shape must be a list of sizes`);
  if (!isCounts(offsets) || offsets.length !== 2) throw broken(file, `${name}: data_offsets must be two offsets`);
  const length = shape.reduce((product, size) => product * size, 1);
  const [begin, end] = offsets as [number, number];
  if (end - begin !== length * bytes) {
    throw broken(
      file,
      `${name}: ${end - begin} bytes, but ${dtype as string} of shape [${shape.join(', ')}] has ${length * bytes}`,
    );
  }
  return { name, dtype: dtype as string, shape, length, begin, end };
}

function checkCoverage(file: string, entries: TensorEntry[], dataBytes: number): void {
  let covered = 0;
  for (const { name, begin, end } of entries.sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== covered) throw broken(file, `${name}: data begin at ${begin}, expected ${covered}`);
    if (end > dataBytes)
      throw broken(file, `${name}: data end at ${end}, but the file has only ${dataBytes} bytes of them`);
    covered = end;
  }
  if (covered !== dataBytes) throw broken(file, `${dataBytes - covered} bytes after the last tensor`);
}

const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && (item as number) >= 0);

/** Names come from the file, so they may be as long as its header. */
export const broken = (file: string, what: string): EngineError =>
  new EngineError('bad_model', `${file}: ${what.length > 500 ? `${what.slice(0, 500)}...` : what}`);
