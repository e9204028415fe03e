import { parseToolCalls, ToolCallParser } from './tool-call-parser.js';

const call = (body: string) => `<tool_call>\n${body}\n</tool_call>`;
const weather = call('{"name": "weather", "arguments": {"city": "Genève"}}');
const parsed = { name: 'weather', arguments: '{"city": "Genève"}' };

describe('parseToolCalls', () => {
  it('separates calls from the text beside them', () => {
    expect(parseToolCalls(`Let me see.\n${weather}`)).toEqual({ content: 'Let me see.', toolCalls: [parsed] });
    expect(parseToolCalls(`${weather}\n${weather}\n`)).toEqual({ content: null, toolCalls: [parsed, parsed] });
    expect(parseToolCalls(`a ${weather} b`)).toEqual({ content: 'a\nb', toolCalls: [parsed] });
  });

  it('leaves text without calls as it is', () => {
    expect(parseToolCalls(' <tool \n')).toEqual({ content: ' <tool \n', toolCalls: [] });
    expect(parseToolCalls('')).toEqual({ content: '', toolCalls: [] });
  });

  it.each([
    ['no JSON', call('{"name": weather}')],
    ['no object', call('[1]')],
    ['no name', call('{"arguments": {}}')],
    ['arguments that are no object', call('{"name": "f", "arguments": [1]}')],
    ['no end', '<tool_call>{"name": "f"'],
  ])('leaves a block with %s in the content', (_, text) => {
    expect(parseToolCalls(`x ${text} y`)).toEqual({ content: `x ${text} y`, toolCalls: [] });
    expect(parseToolCalls(`${weather}${text}`)).toEqual({ content: text, toolCalls: [parsed] });
    expect(parseToolCalls(`<tool_call>${weather}`)).toEqual({ content: '<tool_call>', toolCalls: [parsed] });
  });

  it('takes a complete call whose closing tag the end of the text cut off', () => {
    expect(parseToolCalls('<tool_call>\n{"name": "f", "arguments": {}}').toolCalls).toEqual([
      { name: 'f', arguments: '{}' },
    ]);
  });

  it('takes tags inside of strings for text', () => {
    const { toolCalls } = parseToolCalls(call('{"name": "f", "arguments": {"a": "</tool_call> \\" <tool_call>"}}'));

    expect(JSON.parse(toolCalls[0]!.arguments)).toEqual({ a: '</tool_call> " <tool_call>' });
  });

  it.each([
    ['{"name": "f", "arguments": {"n": 12345678901234567890, "x": 1.0}}', '{"n": 12345678901234567890, "x": 1.0}'],
    ['{"arguments": {"a": 1}, "name": "f"}', '{"a":1}'],
    ['{"name": "f", "arguments": "{\\"a\\": 1}"}', '{"a": 1}'],
    ['{"name": "f"}', '{}'],
  ])('gives the arguments of %s as %s', (body, expected) => {
    expect(parseToolCalls(call(body)).toolCalls).toEqual([{ name: 'f', arguments: expected }]);
  });
});

describe('ToolCallParser', () => {
  it('holds back what may begin a call, and the space before it', () => {
    const parser = new ToolCallParser();

    expect(['Wait', '. \n', '<tool', '_box>', ' <', 'tool_call>{', '}'].map((piece) => parser.push(piece))).toEqual([
      'Wait',
      '.',
      '',
      ' \n<tool_box>',
      '',
      '',
      '',
    ]);
    expect(parser.finish()).toBe(' <tool_call>{}');
  });

  it('says in all, however the text is cut, what the whole text says', () => {
    const texts = [
      `a ${weather} \n ${call('bad')} c <tool_call>${weather}\n\nend `,
      ` ${weather}${call('{"name": "f", "arguments": {"a": "</tool_call>"}}')}`,
      '<tool_call><tool_call></tool_call>"</tool_call> <',
      `${call('{"name": "it\'s" broken"}')} then ${weather}`,
    ];
    for (const text of texts) {
      for (const size of [1, 2, 3, 5, 7, 11, 40]) {
        const parser = new ToolCallParser();
        let content = '';
        for (let i = 0; i < text.length; i += size) content += parser.push(text.slice(i, i + size));
        content += parser.finish();

        expect({ content, toolCalls: parser.toolCalls }).toEqual({
          ...parseToolCalls(text),
          content: parseToolCalls(text).content ?? '',
        });
      }
    }
  });
});
