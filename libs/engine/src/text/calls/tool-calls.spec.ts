import { parseToolCalls, toolCallReader } from './tool-calls.js';

const call = (body: string) => `<tool_call>\n${body}\n</tool_call>`;
const weather = call('{"name": "weather", "arguments": {"city": "Genève"}}');
const parsed = { name: 'weather', arguments: '{"city": "Genève"}' };

describe('tool calls in tags', () => {
  it('separates calls from the text beside them', () => {
    expect(parseToolCalls(`Let me see.\n${weather}`, 'tagged')).toEqual({
      content: 'Let me see.',
      toolCalls: [parsed],
    });
    expect(parseToolCalls(`${weather}\n${weather}\n`, 'tagged')).toEqual({
      content: null,
      toolCalls: [parsed, parsed],
    });
    expect(parseToolCalls(`a ${weather} b`, 'tagged')).toEqual({ content: 'a\nb', toolCalls: [parsed] });
  });

  it('leaves text without calls as it is', () => {
    expect(parseToolCalls(' <tool \n', 'tagged')).toEqual({ content: ' <tool \n', toolCalls: [] });
    expect(parseToolCalls('', 'tagged')).toEqual({ content: '', toolCalls: [] });
  });

  it.each([
    ['no JSON', call('{"name": weather}')],
    ['no object', call('[1]')],
    ['no name', call('{"arguments": {}}')],
    ['arguments that are no object', call('{"name": "f", "arguments": [1]}')],
    ['no end', '<tool_call>{"name": "f"'],
  ])('leaves a block with %s in the content', (_, text) => {
    expect(parseToolCalls(`x ${text} y`, 'tagged')).toEqual({ content: `x ${text} y`, toolCalls: [] });
    expect(parseToolCalls(`${weather}${text}`, 'tagged')).toEqual({ content: text, toolCalls: [parsed] });
    expect(parseToolCalls(`<tool_call>${weather}`, 'tagged')).toEqual({ content: '<tool_call>', toolCalls: [parsed] });
  });

  it('takes a complete call whose closing tag the end of the text cut off', () => {
    expect(parseToolCalls('<tool_call>\n{"name": "f", "arguments": {}}', 'tagged').toolCalls).toEqual([
      { name: 'f', arguments: '{}' },
    ]);
  });

  it('takes tags inside of strings for text', () => {
    const { toolCalls } = parseToolCalls(
      call('{"name": "f", "arguments": {"a": "</tool_call> \\" <tool_call>"}}'),
      'tagged',
    );

    expect(JSON.parse(toolCalls[0]!.arguments)).toEqual({ a: '</tool_call> " <tool_call>' });
  });

  it.each([
    ['{"name": "f", "arguments": {"n": 12345678901234567890, "x": 1.0}}', '{"n": 12345678901234567890, "x": 1.0}'],
    ['{"arguments": {"a": 1}, "name": "f"}', '{"a":1}'],
    ['{"name": "f", "arguments": "{\\"a\\": 1}"}', '{"a": 1}'],
    ['{"name": "f"}', '{}'],
    ['{"name": "f", "parameters": {"n": 1.0}}', '{"n": 1.0}'],
  ])('gives the arguments of %s as %s', (body, expected) => {
    expect(parseToolCalls(call(body), 'tagged').toolCalls).toEqual([{ name: 'f', arguments: expected }]);
  });
});

describe('the reader of calls in tags', () => {
  it('holds back what may begin a call, and the space before it', () => {
    const parser = toolCallReader('tagged');

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
        const parser = toolCallReader('tagged');
        let content = '';
        for (let i = 0; i < text.length; i += size) content += parser.push(text.slice(i, i + size));
        content += parser.finish();

        expect({ content, toolCalls: parser.toolCalls }).toEqual({
          ...parseToolCalls(text, 'tagged'),
          content: parseToolCalls(text, 'tagged').content ?? '',
        });
      }
    }
  });
});

describe('bare tool calls', () => {
  const weather = '{"name": "weather", "parameters": {"city": "Genève"}}';
  const call = { name: 'weather', arguments: '{"city": "Genève"}' };
  const read = (text: string) => parseToolCalls(text, 'bare');

  it.each([
    ['one', weather, [call]],
    ['several, in any separation', `${weather}; ${weather}\n${weather}`, [call, call, call]],
    ['one behind its tag and white space', `\n<|python_tag|>${weather}\n`, [call]],
    [
      "Hermes' name for the arguments",
      '{"name":"f","arguments":{"a":{"b":"}"}}}',
      [{ name: 'f', arguments: '{"a":{"b":"}"}}' }],
    ],
    ['arguments as text', '{"name": "f", "parameters": "{\\"a\\": 1}"}', [{ name: 'f', arguments: '{"a": 1}' }]],
    ['other keys', '{"type": "function", "name": "f", "parameters": {"a": 1}}', [{ name: 'f', arguments: '{"a":1}' }]],
  ])('are read: %s', (_, text, toolCalls) => {
    expect(read(text)).toEqual({ content: null, toolCalls });
  });

  it.each([
    'It is {"name": "weather", "parameters": {}}',
    '{"name": "Ada"}',
    '{"name": 5, "parameters": {}}',
    '{"name": "f", "parameters": [1]}',
    '{"name": "f", "parameters": {"a": 1}',
    '{not JSON}',
    ' <|python',
    '',
  ])('are not seen in %j', (text) => {
    expect(read(text)).toEqual({ content: text, toolCalls: [] });
  });

  const search = '<|python_tag|>brave_search.call(query="weather in Genève")';

  it.each([
    ['brave_search.call(query="weather in Genève")', 'brave_search', { query: 'weather in Genève' }],
    ['wolfram_alpha.call(query="x^2 = (a, b)")', 'wolfram_alpha', { query: 'x^2 = (a, b)' }],
    [String.raw`f.call(a='it\'s', b = "say "hi" \"now\"",c="\n")`, 'f', { a: "it's", b: 'say "hi" "now"', c: '\\n' }],
    [
      'f.call(n=5, x=-1.50, yes=True, no=false, nothing=None)',
      'f',
      { n: 5, x: -1.5, yes: true, no: false, nothing: null },
    ],
    ['f.call()', 'f', {}],
  ])('are read as Llama writes those of built-in tools: %s', (text, name, expected) => {
    const { content, toolCalls } = read(`<|python_tag|>${text}`);
    expect([content, toolCalls.length, toolCalls[0]?.name]).toEqual([null, 1, name]);
    expect(JSON.parse(toolCalls[0]!.arguments)).toEqual(expected);
  });

  it('keep the digits of numbers that built-in tools get', () => {
    expect(read('<|python_tag|>f.call(n=12345678901234567890)').toolCalls[0]!.arguments).toBe(
      '{"n": 12345678901234567890}',
    );
  });

  it.each(['import math', 'f.call(query=x)', 'f.call(query="a"', 'f.run(query="a")', '5.call(a="b")', 'f.call'])(
    'are not seen in code behind the tag, which is content: %s',
    (code) => {
      expect(read(`<|python_tag|>${code}`)).toEqual({ content: code, toolCalls: [] });
      expect(read(code)).toEqual({ content: code, toolCalls: [] });
    },
  );

  it('end where other text begins', () => {
    expect(read(`${weather}; and {"a": 1}`)).toEqual({ content: 'and {"a": 1}', toolCalls: [call] });
    expect(read(`${weather} {"name": "f"`)).toEqual({ content: '{"name": "f"', toolCalls: [call] });
  });

  it('come out of pieces as out of the whole, and other text at once', () => {
    const code = '<|python_tag|>f.call(a="x") + 1';
    for (const text of [
      `<|python_tag|>${weather};${weather}`,
      `${search};${search}`,
      `${search} so`,
      code,
      `  ${weather} then`,
      '{"a": "}"} b',
      'Hi {',
    ]) {
      for (const size of [1, 2, 3, 5, 7, 40]) {
        const reader = toolCallReader('bare');
        let content = '';
        for (let i = 0; i < text.length; i += size) content += reader.push(text.slice(i, i + size));
        content += reader.finish();
        expect({ content, toolCalls: reader.toolCalls }).toEqual({ ...read(text), content: read(text).content ?? '' });
      }
    }
    const reader = toolCallReader('bare');
    expect(['Hello', ' {', '"a"'].map((piece) => reader.push(piece))).toEqual(['Hello', ' {', '"a"']);
  });
});
