import type { SftExample } from '@heddle/engine';
import { readSftLine } from './sft-line.js';

const user = { role: 'user', content: 'Who wove it?' };
const assistant = { role: 'assistant', content: 'Ada.' };
const call = (...functions: object[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: functions.map((called) => ({ type: 'function', function: called })),
});
function exampleIn(value: object): SftExample {
  const read = readSftLine({ number: 1, text: line(value) });
  if (!read || 'problem' in read) throw new Error(JSON.stringify(read));
  return read.example;
}
const line = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

describe('readSftLine', () => {
  it.each([
    { messages: [user, assistant] },
    {
      messages: [user, { ...assistant, extra: 1 }],
      tools: [{ type: 'function', function: { name: 'look' } }],
      more: 1,
    },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Who?' }] }, assistant], tools: null },
    { messages: [{ role: 'assistant', content: null, tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }] },
  ])('takes %j as it is', (example) => {
    expect(readSftLine({ number: 1, text: line(example) })).toEqual({ example });
  });

  it('takes arguments of calls as an object, as text, or not at all', () => {
    const texts = [{ a: 1 }, '{"a": 1}', '', undefined].map((given) => {
      const messages = [user, call({ name: 'f', arguments: given })];
      return exampleIn({ messages }).messages[1]!.tool_calls![0]!.function.arguments;
    });
    expect(texts).toEqual(['{"a":1}', '{"a": 1}', '{}', '{}']);
  });

  it('takes the older names of tools and calls for the newer ones', () => {
    const messages = [
      user,
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
      { role: 'function', name: 'look', content: 'Ada' },
      { ...assistant, function_call: null },
    ];
    expect(exampleIn({ messages, functions: [{ name: 'look' }], parallel_tool_calls: true })).toEqual({
      messages: [
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'function', name: 'look', content: 'Ada' },
        assistant,
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
    });
  });

  it('takes a refusal for what the assistant says', () => {
    const refusals = [
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    expect(refusals.map((refusal) => exampleIn({ messages: [user, refusal] }).messages[1]!.content)).toEqual([
      'No.',
      [{ type: 'text', text: 'No.' }],
    ]);
  });

  it.each<[string, object, number[] | undefined]>([
    ['weight', { messages: [user, { ...assistant, weight: 0 }, user, { ...assistant, weight: 1 }] }, [1]],
    ['loss_mask', { messages: [{ ...user, loss_mask: 0 }, { ...assistant, loss_mask: false }, user, assistant] }, [1]],
    ['both', { messages: [user, { ...assistant, weight: 0, loss_mask: 0 }] }, [1]],
    ['a mask of the whole', { messages: [user, assistant, user, assistant], loss_mask: [0, 0, 0, 1] }, [1]],
    [
      'a mask and a weight',
      { messages: [user, { ...assistant, weight: 0 }, user, assistant], loss_mask: [0, 1, 0, 0] },
      [1, 3],
    ],
    ['neither', { messages: [user, { ...assistant, weight: null }], loss_mask: null }, undefined],
  ])('learns what %s says is to be learnt', (_, example, untrained) => {
    const read = exampleIn(example);
    expect(read.untrained).toEqual(untrained);
    expect(read.messages.map((message) => Object.keys(message))).toEqual(read.messages.map(() => ['role', 'content']));
  });

  it('lets the assistant say nothing where it is not learnt', () => {
    const silent = { role: 'assistant', content: '', weight: 0 };
    expect(exampleIn({ messages: [user, silent, user, assistant] }).untrained).toEqual([1]);
  });

  it('keeps the variables of the chat template, and takes none of its own names for them', () => {
    const variables = { enable_thinking: false };
    const example = {
      messages: [user, assistant],
      chat_template_kwargs: variables,
      untrained: [1],
      templateVariables: {},
    };
    expect(exampleIn(example)).toEqual({ messages: [user, assistant], templateVariables: variables });
  });

  it.each([
    [{ prompt: 'Who?', completion: 'Ada.' }, 'prompt, completion'],
    [{ instruction: 'Say', input: '', output: 'Ada.' }, 'instruction, output'],
    [{ conversations: [{ from: 'human', value: 'Who?' }] }, 'conversations'],
    [{ input: {}, preferred_output: [] }, 'preferred_output'],
    [{ prompt: [], chosen: [], rejected: [] }, 'chosen, rejected'],
    [{ text: 'Ada wove it.' }, 'text'],
  ])('says that %j is of another format', (value, keys) => {
    const read = readSftLine({ number: 1, text: line(value) });
    expect(read).toMatchObject({ problem: { path: ['messages'], msg: expect.stringContaining(`(${keys})`) } });
  });

  it('refuses what is nested too deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = line({ messages: [user, call({ name: 'f', arguments: { deep: 'DEEP' } })] }).replace('"DEEP"', deep);
    expect(readSftLine({ number: 3, text })).toEqual({ problem: { line: 3, path: [], msg: 'is nested too deeply' } });
  });

  it('takes a blank line for nothing', () => {
    expect(readSftLine({ number: 1, text: ' \t' })).toBeNull();
  });

  it.each([
    ['{', ''],
    [[], ''],
    [null, ''],
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: ['hello'] }, 'messages.0'],
    [{ messages: [{ content: 'no role' }] }, 'messages.0.role'],
    [{ messages: [user, { role: 'robot', content: '' }] }, 'messages.1.role'],
    [{ messages: [{ role: 'user', content: 1 }, assistant] }, 'messages.0.content'],
    [{ messages: [{ role: 'user' }, assistant] }, 'messages.0.content'],
    [{ messages: [{ role: 'user', content: ['Who?'] }, assistant] }, 'messages.0.content.0'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Who?' }, { type: 'image_url' }] }, assistant] },
      'messages.0.content.1.type',
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }, assistant] }, 'messages.0.content.0.text'],
    [
      { messages: [{ role: 'user', content: [{ type: 'refusal', refusal: 'No' }] }, assistant] },
      'messages.0.content.0.type',
    ],
    [{ messages: [user, { role: 'tool', content: '7', name: 7 }, assistant] }, 'messages.1.name'],
    [{ messages: [{ ...user, tool_calls: [{}] }, assistant] }, 'messages.0.tool_calls'],
    [{ messages: [user, { role: 'assistant' }] }, 'messages.1.content'],
    [{ messages: [user, { role: 'assistant', content: '', tool_calls: [] }] }, 'messages.1.content'],
    [{ messages: [user, { role: 'assistant', content: [{ type: 'text', text: '' }] }] }, 'messages.1.content'],
    [{ messages: [user, { ...assistant, tool_calls: [{}] }] }, 'messages.1.tool_calls.0.function'],
    [{ messages: [user, { ...assistant, tool_calls: [{ type: 'custom' }] }] }, 'messages.1.tool_calls.0.type'],
    [{ messages: [user, call({ name: 1 })] }, 'messages.1.tool_calls.0.function.name'],
    [{ messages: [user, call({ name: 'a', arguments: '{"a"' })] }, 'messages.1.tool_calls.0.function.arguments'],
    [{ messages: [user, call({ name: 'a', arguments: [1] })] }, 'messages.1.tool_calls.0.function.arguments'],
    [{ messages: [user, { ...call({ name: 'a' }), function_call: { name: 'a' } }] }, 'messages.1.function_call'],
    [{ messages: [user, { role: 'assistant', function_call: {} }] }, 'messages.1.function_call.name'],
    [{ messages: [user, assistant], tools: [{ type: 'retrieval' }] }, 'tools.0.type'],
    [{ messages: [user, assistant], tools: [{ function: { name: 'a' } }, { function: {} }] }, 'tools.1.function.name'],
    [
      { messages: [user, assistant], tools: [{ function: { name: 'a', parameters: [] } }] },
      'tools.0.function.parameters',
    ],
    [{ messages: [user, assistant], functions: [{ name: 1 }] }, 'functions.0.name'],
    [{ messages: [user, assistant], tools: [{ function: { name: 'a' } }], functions: [{ name: 'a' }] }, 'functions'],
    [{ messages: [user, assistant], parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ messages: [user, call({ name: 'a' }, { name: 'b' })], parallel_tool_calls: false }, 'messages.1.tool_calls'],
    [{ messages: [user, assistant], chat_template_kwargs: [] }, 'chat_template_kwargs'],
    [{ messages: [user, { ...assistant, weight: 0.5 }] }, 'messages.1.weight'],
    [{ messages: [user, { ...assistant, loss_mask: 'yes' }] }, 'messages.1.loss_mask'],
    [{ messages: [user, { ...assistant, weight: 1, loss_mask: 0 }] }, 'messages.1.loss_mask'],
    [{ messages: [{ ...user, weight: 1 }, assistant] }, 'messages.0.weight'],
    [{ messages: [user, assistant], loss_mask: [1] }, 'loss_mask'],
    [{ messages: [user, assistant], loss_mask: [0, 2] }, 'loss_mask.1'],
    [{ messages: [user, assistant], loss_mask: [1, 1] }, 'loss_mask.0'],
    [{ messages: [assistant, user] }, 'messages.1.role'],
    [{ messages: [user, assistant], tools: {} }, 'tools'],
  ])('says where %j is wrong', (value, place) => {
    const read = readSftLine({ number: 7, text: line(value) });
    expect(read).toEqual({ problem: { line: 7, path: place === '' ? [] : place.split('.'), msg: expect.any(String) } });
  });
});
