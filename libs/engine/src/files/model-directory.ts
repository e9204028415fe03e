import { join } from 'node:path';
import type { ModelConfig } from '../model/model-config.js';
import type { SamplingDefaults } from '../protocol/generate.js';
import { writeJson, writeNewFile, writeWholeDirectory } from './durable-write.js';
import { parseSamplingDefaults } from './generation-config-file.js';
import { formatGenerationConfig, formatModelConfig, parseModelConfig } from './model-config-file.js';
import { elementsOf, modelTensors } from './model-tensors.js';
import { readJson, readJsonIfThere } from './read-files.js';
import { type NamedTensor, writeNewSafetensors } from './safetensors-writer.js';
import { WeightFiles, type WeightSource } from './weight-source.js';

export interface OpenedModel {
  config: ModelConfig;
  sampling: SamplingDefaults;
  /** To be closed when everything is read. */
  weights: WeightSource;
  /** Number of weights; a tied head counts once. */
  parameters: number;
}

/**
 * Opens a Hugging Face directory: config.json, generation_config.json if there, and model.safetensors or its shards.
 * @throws EngineError `bad_model`, naming file and key, for what is missing, broken or not supported.
 */
export async function openModel(directory: string): Promise<OpenedModel> {
  const fields = await readJson(directory, 'config.json');
  const generation = await readJsonIfThere(directory, 'generation_config.json');
  const config = parseModelConfig(fields, generation);
  const sampling = parseSamplingDefaults(generation);
  const weights = await WeightFiles.open(directory, config);
  return { config, sampling, weights, parameters: parameterCount(config) };
}

/**
 * Writes a directory that transformers loads.
 * @param tensors by Hugging Face's names, each of the shape that `config` calls for.
 * @param options.files what else belongs there, by name: tokenizer.json, a model card.
 */
export async function writeModel(
  directory: string,
  config: ModelConfig,
  tensors: ReadonlyMap<string, Float32Array>,
  options: { dtype: 'F32' | 'F16'; files?: Readonly<Record<string, string | Uint8Array>> },
): Promise<void> {
  const named = [...modelTensors(config)].map(({ name, shape }) => namedTensor(name, shape, tensors.get(name)));
  if (named.length !== tensors.size) throw new TypeError('tensors that the model does not have');
  await writeWholeDirectory(directory, async (partial) => {
    await writeJson(join(partial, 'config.json'), formatModelConfig(config, options.dtype));
    await writeJson(join(partial, 'generation_config.json'), formatGenerationConfig(config));
    await writeNewSafetensors(join(partial, 'model.safetensors'), named, options);
    for (const [name, content] of Object.entries(options.files ?? {})) {
      await writeNewFile(join(partial, name), (file) => file.writeFile(content));
    }
  });
}

function parameterCount(config: ModelConfig): number {
  let count = 0;
  for (const { shape } of modelTensors(config)) count += elementsOf(shape);
  return count;
}

function namedTensor(name: string, shape: readonly number[], data: Float32Array | undefined): NamedTensor {
  if (!data) throw new TypeError(`no tensor ${name}`);
  return { name, shape, data };
}
