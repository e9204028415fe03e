import { RequestFields } from '../request/request-fields.js';
import { type Item, messagesOf, readInputItems } from './input-items.js';

const read = (input: unknown): Item[] => readInputItems(RequestFields.of({ input }, ''));

describe('readInputItems', () => {
  it('takes a text for what the user says', () => {
    const content = [{ type: 'input_text', text: 'Hi' }];
    expect(read('Hi')).toEqual([
      { id: expect.stringMatching(/^msg_/), type: 'message', role: 'user', status: 'completed', content },
    ]);
  });

  it('keeps what an item is, and gives it an id where it has none', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' };
    expect(read([{ ...call, id: 'fc_1' }, call])).toEqual([
      { ...call, id: 'fc_1' },
      { ...call, id: expect.stringMatching(/^fc_/) },
    ]);
  });
});

describe('messagesOf', () => {
  const item = (type: string, rest: object): Item => ({ id: 'x', type, ...rest });
  const call = (id: string) => item('function_call', { call_id: id, name: 'f', arguments: '{}' });
  const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

  it('joins calls in a row with what the assistant said before them', () => {
    const said = item('message', { role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] });
    const output = item('function_call_output', { call_id: 'a', output: 'snow' });
    expect(messagesOf([said, call('a'), call('b'), output, call('c')])).toEqual([
      { role: 'assistant', content: 'Wait.', tool_calls: [toolCall('a'), toolCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'snow' },
      { role: 'assistant', content: null, tool_calls: [toolCall('c')] },
    ]);
  });

  it('passes over what a model thought, and reads a refusal as what it said', () => {
    const refusal = item('message', { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] });
    expect(messagesOf([item('reasoning', { summary: [] }), refusal])).toEqual([{ role: 'assistant', content: 'No.' }]);
  });
});
