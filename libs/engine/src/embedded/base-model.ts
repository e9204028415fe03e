import { openModel } from '../files/model-directory.js';
import { LINEAR_MODULES, type ModelConfig } from '../model/model-config.js';
import { ModelMemory } from '../model/model-memory.js';
import { layoutWeights, type Precision, precisionFor } from '../model/weights.layout.js';
import type { BaseModelInfo, BaseModelSource } from '../protocol/engine.js';
import { ChatTemplate } from '../text/chat-template.js';
import { PromptEncoder } from '../text/prompt-encoder.js';
import { badTokenizer } from '../text/tokenizer-file.js';
import { Tokenizer } from '../text/tokenizer.js';
import { adapterShape } from './adapter-limits.js';

/** A base model with everything that training and sampling need of it. */
export interface BaseModel {
  info: BaseModelInfo;
  memory: ModelMemory;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  prompts: PromptEncoder;
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
  await loadText(directory, config);
  const { family, contextLength, vocabularySize } = config;
  const precision = precisionFor(config, weights.bfloat16);
  const memoryBytes = ModelMemory.bytes(config, precision);
  const sizes = { contextLength, parameters, vocabularySize, memoryBytes };
  return { info: { id, family, ...sizes, sampling, lora: adapterShape(lora), directory }, config, precision };
}

export async function loadModel({ info }: DescribedModel, limitBytes: number): Promise<BaseModel> {
  const { config, weights } = await openModel(info.directory);
  try {
    const { tokenizer, template } = await loadText(info.directory, config);
    const precision = precisionFor(config, weights.bfloat16);
    const memory = await ModelMemory.load(config, weights, limitBytes, precision);
    const prompts = new PromptEncoder(tokenizer, template);
    return { info, memory, tokenizer, template, prompts, linearNorm: linearNorm(memory) };
  } finally {
    weights.close();
  }
}

async function loadText(directory: string, { vocabularySize }: ModelConfig) {
  const [tokenizer, template] = await Promise.all([Tokenizer.load(directory), ChatTemplate.load(directory)]);
  if (tokenizer.vocabularySize <= vocabularySize) return { tokenizer, template };
  throw badTokenizer(`${tokenizer.vocabularySize} tokens, but vocab_size of config.json is ${vocabularySize}`);
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
