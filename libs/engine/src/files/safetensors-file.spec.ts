import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { EngineError } from '../protocol/engine.errors.js';
import { SafetensorsFile } from './safetensors-file.js';
import { type NamedTensor, writeSafetensors } from './safetensors-writer.js';

const directory = mkdtempSync(join(tmpdir(), 'heddle-safetensors-'));
const path = join(directory, 'some.safetensors');
afterAll(() => rmSync(directory, { recursive: true }));

const tensor = (name: string, shape: number[], ...data: number[]): NamedTensor => ({
  name,
  shape,
  data: Float32Array.from(data),
});

/** A file as others might write it: any header, any data. */
function writeRaw(header: string | object, data: Uint8Array = new Uint8Array(), claimed?: number): void {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(claimed ?? json.length));
  writeFileSync(path, Buffer.concat([length, json, data]));
}

const read = <T>(use: (file: SafetensorsFile) => T): T => {
  const file = SafetensorsFile.open(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
};

const refusal = (): string => {
  try {
    read((file) => file.names().forEach((name) => file.read(name)));
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_model' });
    expect((error as EngineError).message).not.toContain(directory);
    return (error as EngineError).message;
  }
  throw new Error('was not refused');
};

describe('a written file', () => {
  it('gives its tensors and metadata back', async () => {
    await writeSafetensors(path, [tensor('b', [2, 2], 1, 2, 3, -0), tensor('a', [], 5), tensor('none', [0, 7])], {
      dtype: 'F32',
      metadata: { step: '3' },
    });
    read((file) => {
      expect(file.names()).toEqual(['b', 'a', 'none']);
      expect(file.shape('b')).toEqual([2, 2]);
      expect(file.metadata).toEqual({ format: 'pt', step: '3' });
      expect([...file.read('b')]).toEqual([1, 2, 3, -0]);
      expect([...file.read('a')]).toEqual([5]);
      expect(file.read('none')).toHaveLength(0);
    });
  });

  it('gives any tensors back', async () => {
    const tensors = fc.uniqueArray(fc.tuple(fc.string(), fc.float32Array()), { selector: ([name]) => name });
    await fc.assert(
      fc.asyncProperty(tensors, async (entries) => {
        const named = entries.map(([name, data]) => ({ name: `t${name}`, shape: [data.length], data }));
        await writeSafetensors(path, named, { dtype: 'F32' });
        read((file) => expect(named.map(({ name }) => file.read(name))).toEqual(named.map(({ data }) => data)));
      }),
      { numRuns: 10 },
    );
  });

  it('rounds to F16, in chunks', async () => {
    const data = Float32Array.from({ length: 600_000 }, (_, i) => (i % 2048) + 0.25);
    await writeSafetensors(path, [{ name: 'w', shape: [600, 1000], data }], { dtype: 'F16' });
    const half = (value: number): number => (value < 512 ? value : value - 0.25);
    read((file) => expect(file.read('w').findIndex((value, i) => value !== half(data[i]!))).toBe(-1));
  });

  it('has data that begin at a multiple of 8', async () => {
    for (const name of ['a', 'ab', 'abc', 'ä']) {
      await writeSafetensors(path, [tensor(name, [1], 1)], { dtype: 'F32' });
      expect(Number(readFileSync(path).readBigUInt64LE()) % 8).toBe(0);
    }
  });

  it('replaces the older one at once, or not at all', async () => {
    await writeSafetensors(path, [tensor('old', [1], 1)], { dtype: 'F32' });
    const bad = [tensor('new', [2], 1)];
    await expect(writeSafetensors(path, bad, { dtype: 'F32' })).rejects.toThrow('new: 1 values for shape [2]');
    expect(read((file) => file.names())).toEqual(['old']);
    const twice = [tensor('new', [1], 1), tensor('new', [1], 2)];
    await expect(writeSafetensors(path, twice, { dtype: 'F32' })).rejects.toThrow('two tensors named new');
    expect(readdirSync(directory)).toEqual(['some.safetensors']);
  });
});

describe('reading', () => {
  it('fills what it is given, in shared memory too', async () => {
    await writeSafetensors(path, [tensor('w', [3], 1, 2, 3)], { dtype: 'F16' });
    const memory = new Float32Array(new SharedArrayBuffer(20), 4, 3);
    expect(read((file) => file.read('w', memory))).toBe(memory);
    expect([...memory]).toEqual([1, 2, 3]);
    expect(() => read((file) => file.read('w', new Float32Array(2)))).toThrow(RangeError);
  });

  it('widens BF16', () => {
    writeRaw({ w: { dtype: 'BF16', shape: [2], data_offsets: [0, 4] } }, Uint8Array.of(0x80, 0x3f, 0x49, 0xc0));
    expect([...read((file) => file.read('w'))]).toEqual([1, -3.140625]);
  });

  it('gives a part of 16-bit numbers as they are', () => {
    writeRaw({ w: { dtype: 'BF16', shape: [3], data_offsets: [0, 6] } }, Uint8Array.of(0, 0, 0x80, 0x3f, 0x49, 0xc0));
    const bits = new Uint16Array(2);
    read((file) => file.readBits('w', 1, bits));
    expect([...bits]).toEqual([0x3f80, 0xc049]);
    expect(read((file) => file.dtype('w'))).toBe('BF16');
    expect(() => read((file) => file.readBits('w', 2, bits))).toThrow(RangeError);
  });

  it('leaves other kinds of numbers alone until they are asked for', () => {
    writeRaw({ ids: { dtype: 'I64', shape: [1], data_offsets: [0, 8] } }, new Uint8Array(8));
    expect(read((file) => file.names())).toEqual(['ids']);
    expect(refusal()).toBe('some.safetensors: ids: I64, expected F32, F16 or BF16');
  });

  it('refuses a tensor that is not there', () => {
    writeRaw({});
    expect(() => read((file) => file.read('w'))).toThrow('some.safetensors: w is missing');
    expect(() => read((file) => file.shape('toString'))).toThrow('some.safetensors: toString is missing');
  });

  it('notices a file that became shorter', async () => {
    await writeSafetensors(path, [tensor('w', [3], 1, 2, 3)], { dtype: 'F32' });
    read((file) => {
      truncateSync(path, 64);
      expect(() => file.read('w')).toThrow('some.safetensors: w: the file ended early');
    });
  });
});

describe('a hostile file', () => {
  const f32 = (begin: number, end: number, ...shape: number[]) => ({ dtype: 'F32', shape, data_offsets: [begin, end] });

  it.each<[string, string | object, number, string]>([
    ['data of another size', { a: f32(0, 8, 3) }, 8, 'a: 8 bytes, but F32 of shape [3] has 12'],
    ['data beyond the end', { a: f32(0, 8, 2) }, 4, 'a: data end at 8, but the file has only 4 bytes of them'],
    ['data that overlap', { a: f32(0, 8, 2), b: f32(4, 8, 1) }, 8, 'b: data begin at 4, expected 8'],
    ['a gap', { a: f32(4, 8, 1) }, 8, 'a: data begin at 4, expected 0'],
    ['bytes left over', { a: f32(0, 4, 1) }, 9, '5 bytes after the last tensor'],
    ['offsets that run backwards', { a: f32(8, 4, 1) }, 8, 'a: -4 bytes, but F32 of shape [1] has 4'],
    ['negative offsets', { a: f32(-4, 0, 1) }, 4, 'a: data_offsets must be two offsets'],
    ['sizes that overflow', { a: f32(0, 4, 2 ** 52, 2 ** 52, 0) }, 4, 'a: 4 bytes, but F32 of shape'],
    ['broken sizes', { a: f32(0, 4, 0.5) }, 4, 'a: shape must be a list of sizes'],
    ['an unknown dtype', { a: { dtype: 'F4', shape: [], data_offsets: [0, 0] } }, 0, 'a: unknown dtype "F4"'],
    ['no entry at all', { a: null }, 0, 'a: unknown dtype undefined'],
    ['metadata of objects', { __metadata__: { a: {} } }, 0, '__metadata__ must map strings to strings'],
    ['no object', '[]', 0, 'the header is not a JSON object'],
    ['no JSON', '{"a":', 0, 'the header is not a JSON object'],
    ['an own __proto__', '{"__proto__":{"dtype":"F32"}}', 0, '__proto__: shape must be a list of sizes'],
  ])('is refused for %s', (_name, header, bytes, message) => {
    writeRaw(header, new Uint8Array(bytes));
    expect(refusal()).toContain(`some.safetensors: ${message}`);
  });

  it('is refused for a header that the file cannot hold, before memory is taken for it', () => {
    writeRaw('{}', new Uint8Array(), 2 ** 40);
    expect(refusal()).toBe('some.safetensors: a header of 1099511627776 bytes in a file of 10');
    writeRaw('{}', new Uint8Array(2 ** 24), 2 ** 24 + 1);
    expect(refusal()).toBe('some.safetensors: a header of 16777217 bytes, more than 16777216');
  });

  it('is refused for text that is not UTF-8, for being short, for not being a file', () => {
    writeFileSync(
      path,
      Buffer.concat([Buffer.of(8, 0, 0, 0, 0, 0, 0, 0), Buffer.from('{"'), Buffer.of(0xff), Buffer.from('":{}}')]),
    );
    expect(refusal()).toBe('some.safetensors: the header is not a JSON object');
    writeFileSync(path, 'short');
    expect(refusal()).toBe('some.safetensors: 5 bytes are no safetensors file');
    rmSync(path);
    expect(refusal()).toBe('some.safetensors is missing');
    expect(() => SafetensorsFile.open(directory)).toThrow("can't be read (EISDIR)");
  });

  it('never makes anything but an EngineError', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({
        dtype: fc.constantFrom('F32', 'I8'),
        shape: fc.array(fc.nat(9)),
        data_offsets: fc.tuple(fc.nat(9), fc.nat(9)),
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.uint8Array({ maxLength: 9 }), (header, data) => {
        writeRaw(header, data);
        try {
          read((file) => file.names().forEach((name) => file.read(name)));
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
        }
      }),
    );
  });
});
