import { jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import { RandomStream } from '../sampling/random-stream.js';
import { parseToolCalls } from '../text/calls/tool-calls.js';
import { GrammarCompiler, type OutputState, type TokenBytes } from './output-grammar.js';

jest.setTimeout(60_000);

const END = 256;
const tokens: TokenBytes[] = [
  ...Array.from({ length: 256 }, (_, byte) => ({ bytes: Uint8Array.of(byte), special: false })),
  { bytes: new Uint8Array(), special: true },
  // Some that reach over the places where rules begin and end.
  ...['<tool', '_call>\n{"', '<tool_call>', '"}}\n', '</tool_call>', 'é'].map((text) => ({
    bytes: new TextEncoder().encode(text),
    special: false,
  })),
];
const compiler = GrammarCompiler.create(tokens, [END]);
afterAll(() => compiler.dispose());

const CITY = {
  type: 'object',
  properties: { city: { enum: ['Rome', 'Oslo'] }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
  additionalProperties: false,
};
const tool = (name: string, strict: boolean, parameters: Record<string, unknown> = CITY): Tool => ({
  type: 'function',
  function: { name, strict, parameters },
});
const TOOLS = [tool('weather', true), tool('zeit_für', false)];

const start = async (tools: Tool[] = TOOLS, form: ToolCallForm = 'tagged') =>
  (await compiler.compile({ type: 'tool_calls' }, tools, form)).start();

const may = (state: OutputState, id: number) => ((state.mask()[id >> 5]! >>> (id & 31)) & 1) === 1;

/** Whether the text may come, byte by byte, and end. */
async function allows(text: string, tools: Tool[] = TOOLS, form: ToolCallForm = 'tagged'): Promise<boolean> {
  const state = await start(tools, form);
  try {
    return [...new TextEncoder().encode(text), END].every((id) => may(state, id) && state.accept(id));
  } finally {
    state.dispose();
  }
}

const call = (name: string, given: string) => `<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`;
const GOOD = call('weather', '{"city": "Rome", "days": 2}');

describe('calls within a text', () => {
  it.each([
    '',
    'Hello, <tool> {"name": "weather"} é!',
    GOOD,
    `Wait. ${GOOD}`,
    `${GOOD}\n${GOOD} And that is all.`,
    call('zeit_für', '{"anything": [1, "goes"]}'),
    'It begins with <tool_cal and is none',
  ])('may be: %j', async (text) => {
    expect(await allows(text)).toBe(true);
  });

  it.each([
    call('weather', '{"city": "Paris", "days": 2}'),
    call('weather', '{"city": "Rome"}'),
    call('weather', '{"city": "Rome", "days": 0}'),
    call('nobody', '{}'),
    `${GOOD} ${call('weather', '{}')}`,
    '<tool_call>\n{"name": "weather"',
  ])('may not be: %j', async (text) => {
    expect(await allows(text)).toBe(false);
  });

  it('are of the schema whatever is sampled, and token by token', async () => {
    const validate = new Ajv2020().compile(CITY);
    const random = new RandomStream(3, 0);
    for (let run = 0; run < 40; run++) {
      const state = await start();
      const out: number[] = [];
      const push = (id: number) => {
        expect(state.accept(id)).toBe(true);
        out.push(...tokens[id]!.bytes);
      };
      for (const byte of new TextEncoder().encode('So: <tool_call>')) push(byte);
      // Up to the end of the call, which only then may be the end of the text.
      while (!may(state, END)) {
        const mask = state.mask();
        const allowed = tokens.flatMap((_, id) => ((mask[id >> 5]! >>> (id & 31)) & 1 ? [id] : []));
        const closing = allowed.filter((id) => id < 256 && '"}]'.includes(String.fromCharCode(id)));
        const choices = closing.length > 0 && out.length > 60 ? closing : allowed;
        push(choices[Math.floor(random.next() * choices.length)]!);
      }
      state.dispose();
      const { content, toolCalls } = parseToolCalls(new TextDecoder().decode(Uint8Array.from(out)), 'tagged');
      // The token that ends the call may go on with text.
      expect(content).toMatch(/^So:/);
      expect(toolCalls).toHaveLength(1);
      const [{ name, arguments: given }] = toolCalls as [{ name: string; arguments: string }];
      expect(name === 'zeit_für' || validate(JSON.parse(given))).toBe(true);
    }
  });

  it('are bare where the model writes them so: other objects stay free', async () => {
    const bare = (text: string) => allows(text, TOOLS, 'bare');
    expect(await bare('{"name": "weather", "parameters": {"city": "Rome", "days": 2}}')).toBe(true);
    expect(await bare('{"name": "weather", "parameters": {"city": "Paris", "days": 2}}')).toBe(false);
    expect(await bare('{"name": "weather", "other": 5} {"a": 1}')).toBe(true);
    expect(await bare('{"name": "zeit_für", "parameters": {"a": 1}}')).toBe(true);
  });

  it('are checked afterwards for what no grammar holds', async () => {
    const parameters = { type: 'object', properties: { tags: { type: 'array', uniqueItems: true } } };
    const state = await start([tool('tag', true, parameters), ...TOOLS]);
    expect(state.isChecked).toBe(true);
    for (const byte of new TextEncoder().encode(call('tag', '{"tags": [1, 1]}'))) state.accept(byte);
    expect(state.complaint()).not.toBeNull();
    state.restart();
    for (const byte of new TextEncoder().encode(`Yes ${call('tag', '{"tags": [1, 2]}')}`)) state.accept(byte);
    expect(state.complaint()).toBeNull();
    state.dispose();
    const free = await start([tool('tag', false, parameters), tool('weather', true)]);
    expect(free.isChecked).toBe(false);
    free.dispose();
  });

  it('name the tool whose schema can’t be', async () => {
    await expect(start([tool('odd', true, { not: {} })])).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'tools',
      message: expect.stringContaining('"odd"'),
    });
  });
});
