import { ChatTemplate } from '../text/chat-template.js';
import type { SftExample } from '../protocol/train.js';
import { UnwrittenReasoning } from './unwritten-reasoning.js';

const thinking = { role: 'assistant', content: 'a', reasoning_content: 'because' } as const;
const plain = { role: 'assistant', content: 'a', reasoning_content: null, thinking: '' } as const;
const warnings = (source: string, ...messages: object[]): string[] => {
  const unwritten = new UnwrittenReasoning(new ChatTemplate({ default: source }));
  unwritten.look({ messages: messages as SftExample['messages'] });
  return unwritten.warnings();
};

describe('thoughts in examples', () => {
  it('are warned of where the chat template doesn’t write them', () => {
    expect(warnings('{{ messages[0].content }}', thinking, plain, thinking)).toEqual([
      "reasoning_content is not learnt: the model's chat template doesn't write it (2 messages have it).",
    ]);
  });

  it('are nothing to warn of where it does, or where there are none', () => {
    expect(warnings('{{ messages[0].reasoning_content }}', thinking)).toEqual([]);
    expect(warnings('{{ messages[0].content }}', plain)).toEqual([]);
  });
});
