import { join } from 'node:path';
import type { ModelConfig } from '../model/model-config.js';
import type { JsonFields } from './json-fields.js';
import { FAMILIES } from './model-family.js';
import { firstNonFinite, firstNonFiniteHalf, isIgnoredTensor, modelTensors, sameShape } from './model-tensors.js';
import { isThere, readJsonIfThere } from './read-files.js';
import { SafetensorsFile } from './safetensors-file.js';
import { broken } from './safetensors-header.js';

const WHOLE = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';

/** Weights of a model by Hugging Face's names, read one tensor at a time. */
export interface WeightSource {
  /**
   * A tensor as f32, row-major; linear layers are [output, input].
   * @param into where to put it, of exactly its size; may lie in shared memory.
   * @throws EngineError if it holds NaN or infinity.
   */
  read(name: string, into?: Float32Array): Float32Array;
  /** Whether all matrices are bfloat16 in the files. */
  readonly bfloat16: boolean;
  /** Fills `into` from a tensor of bfloat16, as {@link read} does. */
  readBits(name: string, from: number, into: Uint16Array): void;
  close(): void;
}

/** The weights in a directory: one file, or an index and its shards. */
export class WeightFiles implements WeightSource {
  private constructor(
    private readonly files: SafetensorsFile[],
    private readonly fileOf: ReadonlyMap<string, SafetensorsFile>,
  ) {}

  /** @throws EngineError unless the files hold just the tensors that `config` calls for. */
  static async open(directory: string, config: ModelConfig): Promise<WeightFiles> {
    const index = (await isThere(directory, WHOLE)) ? null : await readJsonIfThere(directory, INDEX);
    const files: SafetensorsFile[] = [];
    try {
      const fileOf = new Map<string, SafetensorsFile>();
      for (const [name, tensors] of index ? shardsOf(index) : [[WHOLE, null] as const]) {
        const file = SafetensorsFile.open(join(directory, name));
        files.push(file);
        for (const tensor of tensors ?? file.names()) fileOf.set(tensor, file);
      }
      checkTensors(config, fileOf, index ? INDEX : WHOLE);
      return new WeightFiles(files, fileOf);
    } catch (error) {
      files.forEach((file) => file.close());
      throw error;
    }
  }

  get bfloat16(): boolean {
    return [...this.fileOf].every(([name, file]) => file.shape(name).length !== 2 || file.dtype(name) === 'BF16');
  }

  read(name: string, into?: Float32Array): Float32Array {
    const file = this.file(name);
    const values = file.read(name, into);
    const bad = firstNonFinite(values);
    if (bad >= 0) throw broken(file.name, `${name}: value ${bad} is ${values[bad]}, expected finite numbers`);
    return values;
  }

  readBits(name: string, from: number, into: Uint16Array): void {
    const file = this.file(name);
    if (file.dtype(name) !== 'BF16') throw new TypeError(`${name} is not bfloat16`);
    file.readBits(name, from, into);
    const bad = firstNonFiniteHalf(into);
    if (bad >= 0) throw broken(file.name, `${name}: value ${from + bad} is no finite number`);
  }

  private file(name: string): SafetensorsFile {
    const file = this.fileOf.get(name);
    if (!file) throw new TypeError(`the model has no tensor ${name}`);
    return file;
  }

  close(): void {
    this.files.forEach((file) => file.close());
  }
}

/** Shard to its tensors. */
function shardsOf(index: JsonFields): Map<string, string[]> {
  const shards = new Map<string, string[]>();
  const map = index.nested('weight_map');
  for (const tensor of map.keys()) {
    const shard = map.get(tensor);
    // A name, never a path: shards lie beside the index.
    if (typeof shard !== 'string' || !/^[\w-][\w.-]*\.safetensors$/.test(shard)) {
      throw map.refusal(tensor, 'the name of a .safetensors file beside it');
    }
    const tensors = shards.get(shard);
    if (tensors) tensors.push(tensor);
    else shards.set(shard, [tensor]);
  }
  return shards;
}

function checkTensors(config: ModelConfig, fileOf: ReadonlyMap<string, SafetensorsFile>, place: string): void {
  const expected = new Set<string>();
  for (const { name, shape } of modelTensors(config)) {
    const file = fileOf.get(name);
    // At once, since a config may claim a billion layers.
    if (!file) throw broken(place, `${name} is missing`);
    const found = file.shape(name);
    if (!sameShape(found, shape)) {
      throw broken(file.name, `${name}: shape [${found.join(', ')}], expected [${shape.join(', ')}]`);
    }
    expected.add(name);
  }
  for (const name of fileOf.keys()) {
    if (!expected.has(name) && !isIgnoredTensor(config, name)) {
      throw broken(
        place,
        `${name} is no part of a ${FAMILIES[config.family].architecture} as config.json describes it`,
      );
    }
  }
}
