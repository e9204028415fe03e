import { readFileSync } from 'node:fs';
import { Template } from '@huggingface/jinja';
import { Tokenizer } from '@huggingface/tokenizers';
import { randomChat, SKILLS } from '../corpus.js';
import { answerText, ChatWriter, treeOf } from './encode-chat.js';
import { Random } from './random.js';
import type { TrainingChat } from './skill.js';

const file = (name: string) =>
  readFileSync(new URL(`../../../libs/engine/base-models/shuttle/${name}`, import.meta.url), 'utf8');
const template = new Template(file('chat_template.jinja'));
const tokenizer = new Tokenizer(JSON.parse(file('tokenizer.json')), JSON.parse(file('tokenizer_config.json')));

/** What the files that ship make of a chat. */
function original({ messages, tools }: Pick<TrainingChat, 'messages' | 'tools'>, forAnswer: boolean): number[] {
  const text = template.render({ messages, tools: tools ?? null, add_generation_prompt: forAnswer });
  return tokenizer.encode(text, { add_special_tokens: false }).ids;
}

const greeting: TrainingChat = {
  skill: 'greeting',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hé' },
  ],
};

describe('a chat as tokens', () => {
  it.each(SKILLS.map((skill) => [skill.name, skill] as const))(
    'is what tokenizer and template write: %s',
    (_, skill) => {
      const random = new Random(11);
      for (let i = 0; i < 12; i++) {
        const chat = randomChat(random, 'corpus', skill);
        const writer = new ChatWriter(chat);
        expect([...writer.branch(false).tokens]).toEqual(original(chat, false));
        expect(writer.prompt()).toEqual(original({ ...chat, messages: chat.messages.slice(0, -1) }, true));
      }
    },
  );

  it('learns the words of the assistant and the end of its turn', () => {
    const { tokens, targets } = new ChatWriter(greeting).branch(false);
    expect([...targets].map((position) => tokens[position])).toEqual([...Buffer.from('Hé'), 257]);
  });

  it('learns every token but the first of a whole text', () => {
    const { tokens, targets } = treeOf(greeting, true).branches[0]!;
    expect([...targets]).toEqual(Array.from({ length: tokens.length - 1 }, (_, i) => i + 1));
  });

  it('reads answers back, tool calls too', () => {
    expect(answerText(new ChatWriter(greeting).answer())).toBe('Hé');
    const call = { function: { name: 'add', arguments: '{"a": 1}' } };
    const calling: TrainingChat = {
      skill: 'tools',
      messages: [{ role: 'assistant', content: null, tool_calls: [call] }],
    };
    expect(answerText(new ChatWriter(calling).answer())).toBe(
      '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>',
    );
  });
});
