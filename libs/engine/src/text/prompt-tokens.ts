import { EngineError } from '../protocol/engine.errors.js';
import type { Prompt } from '../protocol/generate.js';
import type { BaseTexts } from './base-texts.js';

/** @throws EngineError `invalid_request` for what is no prompt of such a model */
export function promptTokens(texts: BaseTexts, prompt: Prompt, vocabularySize: number): number[] {
  const tokens = tokensOf(texts, prompt);
  if (tokens.length === 0) throw refusal('prompt must have a token at least');
  if (!('tokenIds' in prompt)) return tokens;
  const bad = tokens.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (bad === undefined) return tokens;
  throw refusal(`prompt: ${bad} is not a token id; they go from 0 to ${vocabularySize - 1}.`);
}

function tokensOf({ prompts, tokenizer }: BaseTexts, prompt: Prompt): number[] {
  if ('messages' in prompt) {
    const { messages, tools, templateVariables, ending } = prompt;
    return prompts.encode(messages, tools, templateVariables, ending);
  }
  if ('tokenIds' in prompt) return prompt.tokenIds;
  return [...tokenizer.encode(prompt.text, { special: true, framed: prompt.addSpecialTokens !== false })];
}

const refusal = (message: string): EngineError => new EngineError('invalid_request', message, 'prompt');
