import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAdapter, writeAdapter } from './adapter-directory.js';
import { tinyAdapter, tinyConfig } from './files.fixture.js';
import { type OptimizerState, readOptimizer } from './optimizer-file.js';
import { SafetensorsFile } from './safetensors-file.js';
import { type NamedTensor, writeSafetensors } from './safetensors-writer.js';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'heddle-optimizer-'));
  directory = join(home, 'adapter');
});
afterEach(() => rmSync(home, { recursive: true }));

const adapter = { rank: 4, alpha: 8, baseModel: 'heddle/tiny', tensors: tinyAdapter(4, /q_proj|up_proj/) };
const state: OptimizerState = {
  step: 12,
  moments: new Map(
    [...adapter.tensors].map(([key, weights]) => [
      key,
      { first: weights.map((w) => w / 3), second: weights.map((w) => w * w) },
    ]),
  ),
};
const write = (optimizer?: OptimizerState): Promise<void> => writeAdapter(directory, tinyConfig, adapter, optimizer);

/** Writes the state's file anew, with a change. */
async function rewrite(
  change: (tensors: NamedTensor[]) => NamedTensor[],
  metadata: Record<string, string>,
): Promise<void> {
  const path = join(directory, 'optimizer.safetensors');
  const file = SafetensorsFile.open(path);
  const tensors = file.names().map((name) => ({ name, shape: file.shape(name), data: file.read(name) }));
  await writeSafetensors(path, change(tensors), { dtype: 'F32', metadata: { ...file.metadata, ...metadata } });
  file.close();
}

describe('the optimiser state', () => {
  it('lies beside its adapter and is read as it was written', async () => {
    await write(state);
    expect(readdirSync(directory).sort()).toEqual([
      'adapter_config.json',
      'adapter_model.safetensors',
      'optimizer.safetensors',
    ]);
    expect(await readOptimizer(directory, await readAdapter(directory, tinyConfig))).toEqual(state);
  });

  it('is null beside an adapter that others made', async () => {
    await write();
    expect(await readOptimizer(directory, adapter)).toBeNull();
  });

  it('has to be of all the adapter, and of nothing else', async () => {
    await expect(write({ step: 1, moments: new Map() })).rejects.toThrow('no optimiser state for 0.self_attn.q_proj.A');
    const more = new Map(state.moments).set('9.mlp.up_proj.A', {
      first: new Float32Array(),
      second: new Float32Array(),
    });
    await expect(write({ step: 1, moments: more })).rejects.toThrow('optimiser state that the adapter does not have');
    expect(readdirSync(home)).toEqual([]);
    await write(state);
    const larger = { rank: 4, tensors: tinyAdapter(4) };
    await expect(readOptimizer(directory, larger)).rejects.toThrow('0.self_attn.k_proj.A.first is missing');
    const smaller = { rank: 4, tensors: tinyAdapter(4, /q_proj/) };
    await expect(readOptimizer(directory, smaller)).rejects.toThrow('tensors that the adapter does not have');
    const wider = { rank: 8, tensors: tinyAdapter(8, /q_proj|up_proj/) };
    await expect(readOptimizer(directory, wider)).rejects.toThrow('shape [4, 32], expected [8, 32]');
  });

  const first = ([tensor, ...others]: NamedTensor[], value: number): NamedTensor[] => [
    { ...tensor!, data: tensor!.data.map(() => value) },
    ...others,
  ];
  it.each<[string, (tensors: NamedTensor[]) => NamedTensor[], Record<string, string>, string]>([
    ['a mean that is no number', (t) => first(t, NaN), {}, '0.self_attn.q_proj.A.first: value 0 is NaN'],
    ['a negative square', ([a, ...t]) => [a!, ...first(t, -1)], {}, '0.self_attn.q_proj.A.second: value 0 is -1'],
    ['a broken step', (t) => t, { step: '1.5' }, 'metadata step is 1.5, expected a whole number'],
    ['another optimiser', (t) => t, { kind: 'lion' }, 'metadata kind must be adamw'],
  ])('is refused for %s', async (_name, change, metadata, message) => {
    await write(state);
    await rewrite(change, metadata);
    await expect(readOptimizer(directory, adapter)).rejects.toThrow(`optimizer.safetensors: ${message}`);
  });
});
