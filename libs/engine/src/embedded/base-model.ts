import { basename } from 'node:path';
import { openModel } from '../files/model-directory.js';
import { LINEAR_MODULES } from '../model/model-config.js';
import { ModelMemory } from '../model/model-memory.js';
import { layoutWeights, precisionFor } from '../model/weights.layout.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { BaseModelInfo } from '../protocol/engine.js';
import { ChatTemplate } from '../text/chat-template.js';
import { PromptEncoder } from '../text/prompt-encoder.js';
import { Tokenizer } from '../text/tokenizer.js';

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
export async function describeModel(id: string, directory: string): Promise<BaseModelInfo> {
  const { config, sampling, weights, parameters } = await openModel(directory);
  weights.close();
  const { contextLength, vocabularySize } = config;
  return { id, contextLength, parameters, vocabularySize, sampling, directory };
}

export async function loadModel(info: BaseModelInfo, limitBytes: number): Promise<BaseModel> {
  const [tokenizer, template] = await Promise.all([Tokenizer.load(info.directory), ChatTemplate.load(info.directory)]);
  const { config, weights } = await openModel(info.directory);
  if (tokenizer.vocabularySize > config.vocabularySize) {
    throw new EngineError('bad_model', `${basename(info.directory)}: the tokenizer has more tokens than the model`);
  }
  try {
    const precision = precisionFor(config, weights.bfloat16);
    const memory = await ModelMemory.load(config, weights, limitBytes, precision);
    const prompts = new PromptEncoder(tokenizer, template);
    return { info, memory, tokenizer, template, prompts, linearNorm: linearNorm(memory) };
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
