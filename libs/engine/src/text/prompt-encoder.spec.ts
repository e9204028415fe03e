import { fileURLToPath } from 'node:url';
import type { Tool } from '../protocol/chat.js';
import { ChatTemplate, encodeChat } from './chat-template.js';
import { PromptEncoder } from './prompt-encoder.js';
import { Tokenizer } from './tokenizer.js';

const shuttle = fileURLToPath(new URL('../../base-models/shuttle', import.meta.url));
const tokenizer = await Tokenizer.load(shuttle);
const template = await ChatTemplate.load(shuttle);
const user = (content: string) => [{ role: 'user' as const, content }];
const tool: Tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

describe('encoding prompts', () => {
  it('gives the tokens of the rendered messages, asked for the first or another time', () => {
    const prompts = new PromptEncoder(tokenizer, template);
    const expected = [...encodeChat(tokenizer, template, user('Hi'))];
    expect(prompts.encode(user('Hi'))).toEqual(expected);
    expect(prompts.encode(user('Hi'))).toEqual(expected);
  });

  it('renders the same messages once', () => {
    const prompts = new PromptEncoder(tokenizer, template);
    expect(prompts.encode(user('Hi'))).toBe(prompts.encode(user('Hi')));
  });

  it('tells prompts apart by their messages and their tools', () => {
    const prompts = new PromptEncoder(tokenizer, template);
    const all = [
      prompts.encode(user('Hi')),
      prompts.encode(user('Ho')),
      prompts.encode([{ role: 'system', content: 'Hi' }]),
      prompts.encode(user('Hi'), [tool]),
    ];
    expect(new Set(all.map((tokens) => tokens.join())).size).toBe(4);
    expect(prompts.encode(user('Hi'), null)).toEqual(prompts.encode(user('Hi')));
  });

  it('tells prompts apart by the variables of the template', () => {
    const polite = new ChatTemplate({ default: "{{ 'please ' if polite }}{{ messages[0].content }}" });
    const prompts = new PromptEncoder(tokenizer, polite);
    const encode = (polite: boolean) => tokenizer.decode(prompts.encode(user('go'), null, { polite }));
    expect([encode(true), encode(false), encode(true)]).toEqual(['please go', 'go', 'please go']);
  });

  it('renders again where the template tells the time', () => {
    let now = new Date('2026-01-01T00:00:00');
    const clock = new ChatTemplate({ default: "{{ strftime_now('%Y') }}" }, {}, () => now);
    const prompts = new PromptEncoder(tokenizer, clock);
    const before = prompts.encode(user('Hi'));
    now = new Date('2027-01-01T00:00:00');
    expect(prompts.encode(user('Hi'))).not.toEqual(before);
  });
});
