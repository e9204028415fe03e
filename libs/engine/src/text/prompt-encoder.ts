import { LRUCache } from 'lru-cache';
import type { ChatMessage, PromptEnding, TemplateVariables, Tool } from '../protocol/chat.js';
import { type ChatTemplate, encodeChat } from './chat-template.js';
import type { Tokenizer } from './tokenizer.js';

/** Characters and tokens that are remembered, over all prompts: some megabytes. */
const REMEMBERED = 1_000_000;

/** Prompts as tokens. The last ones are remembered: all rollouts of a training step begin with the same few. */
export class PromptEncoder {
  private readonly known = new LRUCache<string, number[]>({
    maxSize: REMEMBERED,
    sizeCalculation: (tokens, key) => tokens.length + key.length,
  });

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly template: ChatTemplate,
  ) {}

  /** @returns what nobody may change: the next one who asks gets it too. */
  encode(
    messages: readonly ChatMessage[],
    tools?: readonly Tool[] | null,
    variables?: TemplateVariables | null,
    ending: PromptEnding = 'answer',
  ): number[] {
    const compute = (): number[] => [...encodeChat(this.tokenizer, this.template, messages, tools, variables, ending)];
    if (this.template.tellsTime) return compute();
    const key = JSON.stringify([messages, tools ?? null, variables ?? null, ending]);
    let tokens = this.known.get(key);
    if (!tokens) this.known.set(key, (tokens = compute()));
    return tokens;
  }
}
