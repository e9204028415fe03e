import type { ChatMessage } from '../protocol/chat.js';
import { templateMessages } from './chat-messages.js';

const only = (message: object) => templateMessages([message as ChatMessage])[0];
const calling = (given: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', function: { name: 'f', arguments: given } }],
});

describe('templateMessages', () => {
  it('calls developers system and functions tools', () => {
    expect(only({ role: 'developer', content: 'a' })).toEqual({ role: 'system', content: 'a' });
    expect(only({ role: 'function', name: 'f', content: 'a' })).toEqual({ role: 'tool', name: 'f', content: 'a' });
  });

  it('joins text parts by line breaks, as vLLM does', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }]; // prettier-ignore

    expect(only({ role: 'user', content })).toEqual({ role: 'user', content: 'a\nb' });
  });

  it('takes no content for empty content, and leaves out what is null', () => {
    expect(only({ role: 'assistant', content: null, refusal: null, tool_calls: null })).toEqual({
      role: 'assistant',
      content: '',
    });
    expect(only({ role: 'assistant', tool_calls: [] })).toEqual({ role: 'assistant', content: '' });
  });

  it('passes unknown keys on', () => {
    expect(only({ role: 'assistant', content: 'a', reasoning_content: 'r' })).toMatchObject({ reasoning_content: 'r' });
  });

  it.each([
    ['{"a": [1, null]}', { a: [1, null] }],
    ['', {}],
    [undefined, {}],
    ['not JSON', 'not JSON'],
    ['[1]', '[1]'],
    [{ a: 1 }, { a: 1 }],
  ])('gives the template the arguments %j as %j', (given, expected) => {
    expect(only(calling(given))).toMatchObject({
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: expected } }],
    });
  });

  it.each<[string, object]>([
    ['messages[1].content[1].type', { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }],
    ['messages[1].content[0].text', { role: 'user', content: [{ type: 'text' }] }],
    ['messages[1].content', { role: 'user', content: 7 }],
    ['messages[1].role', { content: 'a' }],
    ['messages[1].tool_calls[0].function', { role: 'assistant', tool_calls: [null] }],
  ])('names the place of what it refuses: %s', (place, message) => {
    const run = () => templateMessages([{ role: 'user', content: 'fine' }, message as ChatMessage]);

    expect(run).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: place, message: expect.stringContaining(place) }),
    );
  });

  it('say what a refusal says, in its part or in its field', () => {
    const refused = [{ type: 'refusal', refusal: 'No.' }];
    expect(templateMessages([{ role: 'assistant', content: refused as never }])).toEqual([
      { role: 'assistant', content: 'No.' },
    ]);
    expect(templateMessages([{ role: 'assistant', content: null, refusal: 'No.' }])).toEqual([
      { role: 'assistant', content: 'No.' },
    ]);
    expect(templateMessages([{ role: 'assistant', content: 'Yes.', refusal: null }])).toEqual([
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  it('read the older form of a call and of its result', () => {
    const older = { name: 'f', arguments: '{"a": 1}' };
    expect(
      templateMessages([
        { role: 'assistant', content: null, function_call: older },
        { role: 'function', name: 'f', content: '2' },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ type: 'function', function: { name: 'f', arguments: { a: 1 } } }],
      },
      { role: 'tool', name: 'f', content: '2' },
    ]);
    expect(() => templateMessages([{ role: 'assistant', function_call: 'f' as never }])).toThrow(
      'messages[0].function_call is not an object',
    );
  });
});
