import type { ModelConfig } from '../model/model-config.js';
import { ChatTemplate } from './chat-template.js';
import { PromptEncoder } from './prompt-encoder.js';
import { badTokenizer } from './tokenizer-file.js';
import { Tokenizer } from './tokenizer.js';

/** From messages to tokens and back: what a base model needs no weights for. */
export interface BaseTexts {
  tokenizer: Tokenizer;
  template: ChatTemplate;
  prompts: PromptEncoder;
}

/** @throws EngineError `bad_model` */
export async function loadTexts(
  directory: string,
  { vocabularySize }: Pick<ModelConfig, 'vocabularySize'>,
): Promise<BaseTexts> {
  const [tokenizer, template] = await Promise.all([Tokenizer.load(directory), ChatTemplate.load(directory)]);
  if (tokenizer.vocabularySize > vocabularySize) {
    throw badTokenizer(`${tokenizer.vocabularySize} tokens, but vocab_size of config.json is ${vocabularySize}`);
  }
  return { tokenizer, template, prompts: new PromptEncoder(tokenizer, template) };
}
