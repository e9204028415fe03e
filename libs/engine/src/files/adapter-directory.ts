import { join } from 'node:path';
import type { ModelConfig } from '../model/model-config.js';
import { EngineError } from '../protocol/engine.errors.js';
import { type AdapterHead, formatAdapterConfig, parseAdapterConfig } from './adapter-config-file.js';
import {
  adapterKey,
  type AdapterTensor,
  adapterTensors,
  adapterTensorShape,
  type AdapterWeights,
  parsePeftName,
  peftName,
} from './adapter-tensors.js';
import { writeJson, writeWholeDirectory } from './durable-write.js';
import { firstNonFinite, sameShape } from './model-tensors.js';
import { type OptimizerState, writeOptimizer } from './optimizer-file.js';
import { readJson } from './read-files.js';
import { SafetensorsFile } from './safetensors-file.js';
import { broken } from './safetensors-header.js';
import { type NamedTensor, writeNewSafetensors } from './safetensors-writer.js';

const CONFIG = 'adapter_config.json';
const TENSORS = 'adapter_model.safetensors';

/** A LoRA adapter, as PEFT keeps it. */
export interface AdapterFiles extends AdapterHead, AdapterWeights {}

/**
 * Reads a PEFT directory for a model of this shape.
 * @throws EngineError `bad_model`, naming file and key, for what is missing, broken, unsupported or not for this model.
 */
export async function readAdapter(directory: string, config: ModelConfig): Promise<AdapterFiles> {
  const head = parseAdapterConfig(await readJson(directory, CONFIG));
  const file = SafetensorsFile.open(join(directory, TENSORS));
  try {
    const tensors = new Map<string, Float32Array>();
    for (const name of file.names()) {
      const tensor = checkedTensor(file, name, config, head.rank);
      if (tensors.has(adapterKey(tensor))) throw broken(TENSORS, `${name} is there twice`);
      tensors.set(adapterKey(tensor), finite(name, file.read(name)));
    }
    if (tensors.size === 0) throw broken(TENSORS, 'no LoRA tensors');
    checkPairs(tensors);
    return { ...head, tensors };
  } finally {
    file.close();
  }
}

/**
 * Writes a new directory that PEFT and vLLM load, whole or not at all, in f32.
 * @param optimizer goes beside it, where training is to go on.
 * @throws EngineError `diverged` for a weight that is not finite, `invalid_request` if the directory exists.
 */
export async function writeAdapter(
  directory: string,
  config: ModelConfig,
  adapter: AdapterFiles,
  optimizer: OptimizerState | null = null,
): Promise<void> {
  const { tensors } = adapter;
  const named = namedTensors(config, adapter);
  checkPairs(tensors);
  await writeWholeDirectory(directory, async (partial) => {
    await writeJson(join(partial, CONFIG), formatAdapterConfig(adapter, config, new Set(tensors.keys())));
    await writeNewSafetensors(join(partial, TENSORS), named, { dtype: 'F32' });
    if (optimizer) await writeOptimizer(partial, adapter, optimizer);
  });
}

function checkedTensor(file: SafetensorsFile, name: string, config: ModelConfig, rank: number): AdapterTensor {
  const tensor = parsePeftName(name);
  if (!tensor) throw broken(TENSORS, `${name}: expected A or B of a linear layer in a decoder layer`);
  if (tensor.layer >= config.layers) throw broken(TENSORS, `${name}: the base model has ${config.layers} layers`);
  const expected = adapterTensorShape(config, rank, tensor);
  const found = file.shape(name);
  if (sameShape(found, expected)) return tensor;
  throw broken(TENSORS, `${name}: shape [${found.join(', ')}], expected [${expected.join(', ')}]`);
}

function finite(name: string, values: Float32Array): Float32Array {
  const bad = firstNonFinite(values);
  if (bad < 0) return values;
  throw broken(TENSORS, `${name}: value ${bad} is ${values[bad]}, expected finite numbers`);
}

function checkPairs(tensors: ReadonlyMap<string, Float32Array>): void {
  for (const key of tensors.keys()) {
    const other = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    if (!tensors.has(other)) throw broken(TENSORS, `${key} is there without ${other}`);
  }
}

/** In the model's order, so that the same adapter gives the same bytes. */
function namedTensors(config: ModelConfig, { rank, tensors }: AdapterFiles): NamedTensor[] {
  const named: NamedTensor[] = [];
  for (const tensor of adapterTensors(config)) {
    const key = adapterKey(tensor);
    const data = tensors.get(key);
    if (!data) continue;
    const bad = firstNonFinite(data);
    if (bad >= 0) throw new EngineError('diverged', `${key} became ${data[bad]}`);
    named.push({ name: peftName(tensor), shape: adapterTensorShape(config, rank, tensor), data });
  }
  if (named.length !== tensors.size) throw new TypeError('tensors that the model does not have');
  return named;
}
