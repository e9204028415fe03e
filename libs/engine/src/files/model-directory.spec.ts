import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINEAR_MODULES } from '../model/model-config.js';
import { ModelMemory } from '../model/model-memory.js';
import { tinyConfig, tinyModel } from './files.fixture.js';
import { openModel, writeModel } from './model-directory.js';
import { modelTensors } from './model-tensors.js';
import { writeSafetensors } from './safetensors-writer.js';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'heddle-model-'));
  directory = join(home, 'model');
});
afterEach(() => rmSync(home, { recursive: true }));

const model = tinyModel(tinyConfig);
const all = [...modelTensors(tinyConfig)].map(({ name, shape }): [string, number[]] => [name, [...shape]]);
const write = (dtype: 'F32' | 'F16' = 'F32') => writeModel(directory, tinyConfig, model, { dtype });
const inDirectory = (name: string): string => join(directory, name);

async function readAll(): Promise<Map<string, Float32Array>> {
  const { weights } = await openModel(directory);
  try {
    return new Map([...model.keys()].map((name) => [name, weights.read(name)]));
  } finally {
    weights.close();
  }
}

/** The weights of the written model in files of one's own; the data suffice to tell their shapes. */
async function rewrite(files: Record<string, [name: string, shape: number[]][]>): Promise<void> {
  for (const [file, tensors] of Object.entries(files)) {
    const named = tensors.map(([name, shape]) => {
      const length = shape.reduce((product, size) => product * size, 1);
      return { name, shape, data: model.get(name)?.slice(0, length) ?? new Float32Array(length) };
    });
    await writeSafetensors(inDirectory(file), named, { dtype: 'F32' });
  }
}

/** The written model's matrices as bfloat16, every element of these bits; norms stay F32. */
function writeBfloat16(bits: number): void {
  const header: Record<string, unknown> = {};
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, shape] of all) {
    const length = shape.reduce((product, size) => product * size, 1);
    const half = shape.length === 2;
    const data = half ? new Uint16Array(length).fill(bits) : new Float32Array(length).fill(1);
    header[name] = { dtype: half ? 'BF16' : 'F32', shape, data_offsets: [at, (at += data.byteLength)] };
    parts.push(new Uint8Array(data.buffer));
  }
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(json.length));
  writeFileSync(inDirectory('model.safetensors'), Buffer.concat([prefix, json, ...parts]));
}

describe('a model', () => {
  it.each(['F32', 'F16'] as const)('in %s is read as it was written', async (dtype) => {
    await write(dtype);
    const { config, weights, parameters } = await openModel(directory);
    weights.close();
    expect(config).toEqual(tinyConfig);
    expect(parameters).toBe([...model.values()].reduce((sum, { length }) => sum + length, 0));
    expect(await readAll()).toEqual(model);
  });

  it('of bfloat16 gives its bits, and refuses those of no number', async () => {
    const bits = new Uint16Array(2);
    const name = 'model.layers.0.mlp.up_proj.weight';
    for (const dtype of ['F32', 'BF16']) {
      if (dtype === 'F32') await write();
      else writeBfloat16(0x3f80);
      const { weights } = await openModel(directory);
      expect(weights.bfloat16).toBe(dtype === 'BF16');
      if (dtype === 'F32') expect(() => weights.readBits(name, 0, bits)).toThrow(TypeError);
      else weights.readBits(name, 1, bits);
      weights.close();
    }
    expect([...bits]).toEqual([0x3f80, 0x3f80]);
    writeBfloat16(0x7f80);
    const { weights } = await openModel(directory);
    expect(() => weights.readBits(name, 2, bits)).toThrow(`model.safetensors: ${name}: value 2 is no finite number`);
    weights.close();
  });

  it.each([
    { ...tinyConfig, biases: LINEAR_MODULES },
    { ...tinyConfig, family: 'qwen2' as const, biases: LINEAR_MODULES.slice(0, 3) },
    { ...tinyConfig, family: 'qwen3' as const },
  ])('of the family $family with biases on $biases has the tensors that those add', async (config) => {
    const tensors = tinyModel(config);
    await writeModel(directory, config, tensors, { dtype: 'F32' });
    const memory = await openModel(directory).then(async ({ config: read, weights }) => {
      expect(read).toEqual(config);
      return ModelMemory.load(read, weights).finally(() => weights.close());
    });
    const loaded = new Map(Array.from(memory.exportTensors(), ({ name, data }) => [name, data]));
    expect(loaded).toEqual(tensors);
  });

  it('has no head of its own where the embedding serves', async () => {
    const tied = { ...tinyConfig, tiedHead: true };
    await writeModel(directory, tied, tinyModel(tied), { dtype: 'F32' });
    const { weights, parameters } = await openModel(directory);
    expect(() => weights.read('lm_head.weight')).toThrow('no tensor lm_head.weight');
    weights.close();
    expect(parameters).toBe([...tinyModel(tied).values()].reduce((sum, { length }) => sum + length, 0));
  });

  it('brings further files along, whole or not at all', async () => {
    await writeModel(directory, tinyConfig, model, { dtype: 'F16', files: { 'tokenizer.json': '{}' } });
    expect(readFileSync(inDirectory('tokenizer.json'), 'utf8')).toBe('{}');
    const second = join(home, 'second');
    const bad = new Map(model).set('model.norm.weight', new Float32Array(3));
    await expect(writeModel(second, tinyConfig, bad, { dtype: 'F16' })).rejects.toThrow('3 values for shape [32]');
    await expect(writeModel(second, tinyConfig, new Map(), { dtype: 'F16' })).rejects.toThrow('no tensor');
    expect(readdirSync(home)).toEqual(['model']);
  });
});

describe('shards', () => {
  const index = (shardOf: (name: string) => unknown): void =>
    writeFileSync(
      inDirectory('model.safetensors.index.json'),
      JSON.stringify({ weight_map: Object.fromEntries(all.map(([name]) => [name, shardOf(name)])) }),
    );

  beforeEach(async () => {
    await write();
    rmSync(inDirectory('model.safetensors'));
  });

  it('are one model', async () => {
    await rewrite({ 'a.safetensors': all.slice(0, 5), 'b.safetensors': all.slice(5) });
    const first = new Set(all.slice(0, 5).map(([name]) => name));
    index((name) => (first.has(name) ? 'a.safetensors' : 'b.safetensors'));
    expect(await readAll()).toEqual(model);
    index(() => 'a.safetensors');
    await expect(openModel(directory)).rejects.toThrow(/^a\.safetensors: model\.layers\.0\.\S+ is missing$/);
    rmSync(inDirectory('b.safetensors'));
    index((name) => (first.has(name) ? 'a.safetensors' : 'b.safetensors'));
    await expect(openModel(directory)).rejects.toThrow('b.safetensors is missing');
  });

  it.each(['../model.safetensors', '/etc/x.safetensors', 'pytorch_model.bin', 7])('never lie at %j', async (shard) => {
    index(() => shard);
    await expect(openModel(directory)).rejects.toThrow(/index\.json: weight_map: model\.embed_tokens\.weight is/);
  });
});

describe('a directory is refused', () => {
  it('without its files', async () => {
    await expect(openModel(directory)).rejects.toMatchObject({ code: 'bad_model', message: 'config.json is missing' });
    await write();
    rmSync(inDirectory('model.safetensors'));
    await expect(openModel(directory)).rejects.toMatchObject({ message: 'model.safetensors is missing' });
    writeFileSync(inDirectory('config.json'), '{');
    await expect(openModel(directory)).rejects.toMatchObject({ message: "config.json isn't JSON" });
    writeFileSync(inDirectory('config.json'), '[]');
    await expect(openModel(directory)).rejects.toMatchObject({ message: "config.json isn't a JSON object" });
  });

  it('for a tensor that is missing, misshapen or unknown', async () => {
    await write();
    await rewrite({ 'model.safetensors': all.slice(0, -1) });
    await expect(openModel(directory)).rejects.toThrow('model.safetensors: lm_head.weight is missing');
    await rewrite({ 'model.safetensors': [...all.slice(0, -1), ['lm_head.weight', [32, 52]]] });
    await expect(openModel(directory)).rejects.toThrow('lm_head.weight: shape [32, 52], expected [52, 32]');
    await rewrite({ 'model.safetensors': [...all, ['model.layers.0.self_attn.q_proj.bias', [64]]] });
    await expect(openModel(directory)).rejects.toThrow('model.layers.0.self_attn.q_proj.bias is no part of');
  });

  it('for more layers than it has, however many', async () => {
    await write();
    const config = JSON.parse(readFileSync(inDirectory('config.json'), 'utf8')) as object;
    writeFileSync(inDirectory('config.json'), JSON.stringify({ ...config, num_hidden_layers: 1e15 }));
    await expect(openModel(directory)).rejects.toThrow('model.layers.2.input_layernorm.weight is missing');
  });

  it('for weights that are not finite, when they are read', async () => {
    const broken = new Map(model).set('model.norm.weight', new Float32Array(32).fill(NaN, 31));
    await writeModel(directory, tinyConfig, broken, { dtype: 'F16' });
    await expect(readAll()).rejects.toThrow('model.safetensors: model.norm.weight: value 31 is NaN');
  });

  it('but not for what old versions saved', async () => {
    await write();
    await rewrite({ 'model.safetensors': [...all, ['model.layers.0.self_attn.rotary_emb.inv_freq', [8]]] });
    expect(await readAll()).toEqual(model);
  });
});
