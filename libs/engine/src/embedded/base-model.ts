import { basename } from 'node:path';
import { openModel } from '../files/model-directory.js';
import { LINEAR_MODULES, type ModelConfig } from '../model/model-config.js';
import { ModelMemory } from '../model/model-memory.js';
import { layoutWeights, type Precision, precisionFor } from '../model/weights.layout.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { BaseModelInfo, BaseModelSource } from '../protocol/engine.js';
import { adapterShape } from './adapter-limits.js';
import { type BaseTexts, loadTexts } from '../text/base-texts.js';

/** A base model with everything that training and sampling need of it. */
export interface BaseModel extends BaseTexts {
  info: BaseModelInfo;
  memory: ModelMemory;
  /** Frobenius norm of all linear layers together. */
  linearNorm: number;
}

/** What of a base model is known without loading its weights. */
export interface DescribedModel {
  info: BaseModelInfo;
  config: ModelConfig;
  precision: Precision;
}

/** @throws EngineError `bad_model` for whatever would keep it from being trained and sampled, naming file and key */
export async function describeModel({ id, directory, lora }: BaseModelSource): Promise<DescribedModel> {
  const { config, sampling, weights, parameters } = await openModel(directory);
  weights.close();
  await loadTexts(directory, config);
  const { family, contextLength, vocabularySize } = config;
  const precision = precisionFor(config, weights.bfloat16);
  const memoryBytes = ModelMemory.bytes(config, precision);
  const sizes = { contextLength, parameters, vocabularySize, memoryBytes };
  return {
    info: { id, family, engine: 'embedded', ...sizes, sampling, lora: adapterShape(lora), directory },
    config,
    precision,
  };
}

/** @param memory with room for the weights; what lies there is of no use where this throws. */
export async function loadModel(
  { info, config, precision }: DescribedModel,
  memory = ModelMemory.empty(config, precision),
  loadingTexts = loadTexts(info.directory, config),
): Promise<BaseModel> {
  // Both to their end, whatever becomes of the other.
  const [texts, weights] = await Promise.allSettled([loadingTexts, fill(memory, info.directory)]);
  if (texts.status === 'rejected') throw texts.reason;
  if (weights.status === 'rejected') throw weights.reason;
  return { info, memory, ...texts.value, linearNorm: linearNorm(memory) };
}

async function fill(memory: ModelMemory, directory: string): Promise<void> {
  const { config, weights } = await openModel(directory);
  try {
    const same = JSON.stringify(config) === JSON.stringify(memory.config);
    if (!same || precisionFor(config, weights.bfloat16) !== memory.view.precision) {
      throw new EngineError('bad_model', `${basename(directory)}: it is another model than it was when it was added`);
    }
    await memory.fill(weights);
  } finally {
    weights.close();
  }
}

function linearNorm(memory: ModelMemory): number {
  let sum = 0;
  for (const layer of layoutWeights(memory.config, memory.view.precision).layers) {
    for (const module of LINEAR_MODULES) {
      const values = memory.values(layer.linear[module]);
      for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
    }
  }
  return Math.sqrt(sum);
}
