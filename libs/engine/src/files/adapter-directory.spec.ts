import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type AdapterFiles, readAdapter, writeAdapter } from './adapter-directory.js';
import { parsePeftName, peftName } from './adapter-tensors.js';
import { tinyAdapter, tinyConfig } from './files.fixture.js';
import { SafetensorsFile } from './safetensors-file.js';
import { writeSafetensors } from './safetensors-writer.js';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'heddle-adapter-'));
  directory = join(home, 'adapter');
});
afterEach(() => rmSync(home, { recursive: true }));

const adapterOf = (keys?: RegExp, rank = 4): AdapterFiles => ({
  rank,
  alpha: 2 * rank,
  baseModel: 'heddle/tiny',
  tensors: tinyAdapter(rank, keys),
});
const read = (): Promise<AdapterFiles> => readAdapter(directory, tinyConfig);
const write = (adapter: AdapterFiles): Promise<void> => writeAdapter(directory, tinyConfig, adapter);
const config = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(directory, 'adapter_config.json'), 'utf8')) as Record<string, unknown>;
const setConfig = (changes: object): void =>
  writeFileSync(join(directory, 'adapter_config.json'), JSON.stringify({ ...config(), ...changes }));
const setTensors = (shapes: Record<string, number[]>, value = 1, dtype: 'F32' | 'F16' = 'F32'): Promise<void> =>
  writeSafetensors(
    join(directory, 'adapter_model.safetensors'),
    Object.entries(shapes).map(([name, shape]) => ({
      name,
      shape,
      data: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value),
    })),
    { dtype },
  );

const query = 'base_model.model.model.layers.0.self_attn.q_proj';

describe('an adapter', () => {
  it('is read as it was written, whatever it adapts', async () => {
    const modules = fc.subarray(['q_proj', 'v_proj', 'o_proj', 'up_proj', 'down_proj'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        modules,
        fc.constantFrom('0', '1', '[01]'),
        fc.integer({ min: 1, max: 9 }),
        async (names, layers, rank) => {
          const adapter = adapterOf(new RegExp(`^${layers}.*(${names.join('|')})`), rank);
          await write(adapter);
          expect(await read()).toEqual(adapter);
          rmSync(directory, { recursive: true });
        },
      ),
      { numRuns: 8 },
    );
  });

  it('says what it adapts the way PEFT does', async () => {
    await write(adapterOf(/q_proj|down_proj/));
    expect(config()).toMatchObject({ r: 4, lora_alpha: 8, target_modules: ['q_proj', 'down_proj'], bias: 'none' });
    const file = SafetensorsFile.open(join(directory, 'adapter_model.safetensors'));
    expect(file.names()).toHaveLength(8);
    expect(file.shape(`${query}.lora_A.weight`)).toEqual([4, 32]);
    expect(file.shape(`${query}.lora_B.weight`)).toEqual([64, 4]);
    file.close();
  });

  it('names the layers where not all are adapted alike', async () => {
    await write(adapterOf(/^1.*v_proj|k_proj/));
    expect(config()['target_modules']).toEqual([
      'model.layers.0.self_attn.k_proj',
      'model.layers.1.self_attn.k_proj',
      'model.layers.1.self_attn.v_proj',
    ]);
  });

  it('is not written where it could not be read', async () => {
    const bad = adapterOf();
    bad.tensors.get('1.mlp.up_proj.B')![7] = NaN;
    await expect(write(bad)).rejects.toMatchObject({ code: 'diverged', message: '1.mlp.up_proj.B became NaN' });
    await expect(write({ ...adapterOf(), rank: 5 })).rejects.toThrow('values for shape [5, 32]');
    await expect(write(adapterOf(/A$/))).rejects.toThrow('0.self_attn.q_proj.A is there without 0.self_attn.q_proj.B');
    const foreign = { ...adapterOf(), tensors: new Map([['2.mlp.up_proj.A', new Float32Array(128)]]) };
    await expect(write(foreign)).rejects.toThrow('tensors that the model does not have');
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('an adapter that others made', () => {
  beforeEach(() => write(adapterOf()));

  it('may hold halves and the name of the adapter in its keys', async () => {
    await setTensors(
      { [`${query}.lora_A.default.weight`]: [4, 32], [`${query}.lora_B.default.weight`]: [64, 4] },
      0.5,
      'F16',
    );
    setConfig({ target_modules: '.*q_proj', base_model_name_or_path: null });
    const { tensors, baseModel } = await read();
    expect(baseModel).toBeNull();
    expect([...tensors.keys()]).toEqual(['0.self_attn.q_proj.A', '0.self_attn.q_proj.B']);
    expect(tensors.get('0.self_attn.q_proj.B')).toEqual(new Float32Array(256).fill(0.5));
  });

  it('may be rank-stabilised: alpha / sqrt(rank) is another alpha over rank', async () => {
    setConfig({ use_rslora: true, lora_alpha: 3 });
    expect((await read()).alpha).toBe(6);
  });

  it('may carry fields that mean nothing here', async () => {
    setConfig({
      loftq_config: {},
      eva_config: null,
      qalora_group_size: 16,
      use_qalora: false,
      unknown: 1,
      layers_to_transform: [0],
    });
    expect((await read()).rank).toBe(4);
  });

  it.each([
    [{ peft_type: 'IA3' }, 'peft_type is "IA3", expected "LORA"'],
    [{ bias: 'all' }, 'bias is "all", expected "none"'],
    [{ use_dora: true }, 'use_dora is true, expected it unset'],
    [{ use_bdlora: { nblocks: 2 } }, 'use_bdlora is {"nblocks":2}, expected it unset'],
    [{ rank_pattern: { q_proj: 8 } }, 'rank_pattern is {"q_proj":8}, expected it unset'],
    [{ alpha_pattern: { q_proj: 8 } }, 'alpha_pattern is {"q_proj":8}, expected it unset'],
    [{ modules_to_save: ['lm_head'] }, 'modules_to_save is ["lm_head"], expected it unset'],
    [{ fan_in_fan_out: true }, 'fan_in_fan_out is true, expected it unset'],
    [{ lora_bias: true }, 'lora_bias is true, expected it unset'],
    [{ kasa_config: { a: 1 } }, 'kasa_config is {"a":1}, expected it unset'],
    [{ init_lora_weights: 'pissa' }, 'init_lora_weights is "pissa", expected one that leaves the base'],
    [{ r: 0 }, 'r is 0, expected a positive integer'],
    [{ lora_alpha: '16' }, 'lora_alpha is "16", expected a number'],
  ])('is refused with %j', async (changes, message) => {
    setConfig(changes);
    await expect(read()).rejects.toMatchObject({
      code: 'bad_model',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each<[string, Record<string, number[]>, string]>([
    ['no tensors', {}, 'no LoRA tensors'],
    ['a layer too many', { [`${query.replace('0', '2')}.lora_A.weight`]: [4, 32] }, 'the base model has 2 layers'],
    ['another rank', { [`${query}.lora_A.weight`]: [8, 32] }, 'shape [8, 32], expected [4, 32]'],
    ['another base', { [`${query}.lora_A.weight`]: [4, 64] }, 'shape [4, 64], expected [4, 32]'],
    ['half a pair', { [`${query}.lora_A.weight`]: [4, 32] }, '0.self_attn.q_proj.A is there without'],
    [
      'an embedding',
      { 'base_model.model.lm_head.lora_A.weight': [4, 32] },
      'lm_head.lora_A.weight: expected A or B of',
    ],
    [
      'a matrix twice',
      { [`${query}.lora_A.weight`]: [4, 32], [`${query}.lora_A.default.weight`]: [4, 32] },
      'lora_A.default.weight is there twice',
    ],
  ])('is refused for %s', async (_name, shapes, message) => {
    await setTensors(shapes);
    await expect(read()).rejects.toThrow(message);
  });

  it('is refused for weights that are not finite, and without its files', async () => {
    await setTensors({ [`${query}.lora_A.weight`]: [4, 32] }, Infinity);
    await expect(read()).rejects.toThrow(`adapter_model.safetensors: ${query}.lora_A.weight: value 0 is Infinity`);
    rmSync(join(directory, 'adapter_model.safetensors'));
    await expect(read()).rejects.toThrow('adapter_model.safetensors is missing');
  });
});

describe("PEFT's name of a tensor", () => {
  it('is read as it was written', () => {
    const tensor = { layer: 12, module: 'mlp.gate_proj', matrix: 'B' } as const;
    expect(peftName(tensor)).toBe('base_model.model.model.layers.12.mlp.gate_proj.lora_B.weight');
    expect(parsePeftName(peftName(tensor))).toEqual(tensor);
  });

  it.each([
    `${query}.lora_A.bias`,
    `${query}.lora_magnitude_vector`,
    `${query.slice(0, -6)}x_proj.lora_A.weight`,
    `x${query}.lora_A.weight`,
  ])('is not %s', (name) => {
    expect(parsePeftName(name)).toBeNull();
  });
});
