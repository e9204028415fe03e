import { messagesIn, shownText } from './span-messages.js';

const texts = (payload: unknown, role = 'user') =>
  messagesIn(payload, role).map((one) => `${one.role}: ${one.content}`);

describe('messagesIn', () => {
  it.each([
    ['text', 'Hi', ['user: Hi']],
    ['GenAI conventions', [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }], ['user: Hi']],
    [
      'OpenAI',
      {
        messages: [
          { role: 'system', content: 'Be' },
          { role: 'user', content: 'Hi' },
        ],
      },
      ['system: Be', 'user: Hi'],
    ],
    [
      'parts of text',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      ['user: a\nb'],
    ],
    ['OpenInference', { 'llm.input_messages': [{ message: { role: 'user', content: 'Hi' } }] }, ['user: Hi']],
    ['OpenLLMetry', { 'gen_ai.prompt': [{ role: 'user', content: 'Hi' }] }, ['user: Hi']],
    [
      'the Vercel AI SDK',
      { 'ai.prompt': { system: 'Be', messages: [{ role: 'user', content: 'Hi' }] } },
      ['system: Be', 'user: Hi'],
    ],
    ['the Vercel AI SDK, a prompt', { 'ai.prompt': { prompt: 'Hi' } }, ['user: Hi']],
    ['an object of something else', { a: 1 }, ['user: {"a":1}']],
    ['nothing', {}, []],
    ['null', null, []],
  ])('reads %s', (_what, payload, expected) => {
    expect(texts(payload)).toEqual(expected);
  });

  it.each([
    ['choices', { choices: [{ message: { role: 'assistant', content: 'Ho' }, finish_reason: 'stop' }] }],
    [
      'GenAI conventions',
      {
        'gen_ai.output.messages': [
          { role: 'assistant', parts: [{ type: 'text', content: 'Ho' }], finish_reason: 'stop' },
        ],
      },
    ],
    ['the Vercel AI SDK', { 'ai.response': { text: 'Ho', finishReason: 'stop' } }],
  ])('reads answers with their ends: %s', (_what, payload) => {
    expect(messagesIn(payload, 'assistant')).toEqual([{ role: 'assistant', content: 'Ho', finish_reason: 'stop' }]);
  });

  it('keeps what is not text as JSON', () => {
    const parts = [{ type: 'tool_call', name: 'weather' }];
    expect(texts([{ role: 'assistant', parts }])).toEqual([`assistant: ${JSON.stringify(parts)}`]);
  });

  it('reads payloads of any depth', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(messagesIn([{ role: 'user', content: deep }], 'user')).toHaveLength(1);
    expect(messagesIn({ messages: deep }, 'user').length).toBeLessThanOrEqual(1);
  });
});

describe('shownText', () => {
  it('is the text among the parts', () => {
    const parts = [{ type: 'reasoning', content: 'hm' }, { type: 'text', content: 'a' }, { type: 'tool_call' }, 'b'];
    expect(shownText(JSON.stringify(parts))).toBe('a\nb');
  });

  it('is the content itself where that is no list of parts', () => {
    for (const content of ['plain', '[not JSON', '']) expect(shownText(content)).toBe(content);
  });
});
