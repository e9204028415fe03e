import { Readable } from 'node:stream';
import { sftExamplesOf } from './sft-lines.js';
import { SftCheck } from './sft-check.js';
import { readSftLine } from './sft-line.js';

const user = { role: 'user', content: 'Who wove it?' };
const assistant = { role: 'assistant', content: 'Ada.' };
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
    [
      { messages: [user, { ...assistant, tool_calls: [{ function: { name: 'a', arguments: {} } }] }] },
      'messages.1.tool_calls',
    ],
    [{ messages: [assistant, user] }, 'messages.1.role'],
    [{ messages: [user, assistant], tools: {} }, 'tools'],
  ])('says where %j is wrong', (value, place) => {
    const read = readSftLine({ number: 7, text: line(value) });
    expect(read).toEqual({ problem: { line: 7, path: place === '' ? [] : place.split('.'), msg: expect.any(String) } });
  });
});

const GOOD = line({ messages: [user, assistant] });

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** A file that arrives in pieces of a few bytes. */
function file(text: string, size = 7): Readable {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return Readable.from(pieces);
}

describe('sftExamplesOf', () => {
  it('reads examples one by one, whatever ends the lines', async () => {
    const dash = line({ messages: [{ role: 'assistant', content: 'é—🧵' }] });
    const examples = await all(sftExamplesOf(file(`\uFEFF${GOOD}\r\n\n${dash}`)));
    expect(examples).toEqual([JSON.parse(GOOD), JSON.parse(dash)]);
  });

  it('fails at a bad line, and names it', async () => {
    const reading = all(sftExamplesOf(file(`${GOOD}\n\n{"messages": 1}\n${GOOD}`)));
    await expect(reading).rejects.toThrow('Line 3, messages must be an array with at least one message');
  });
});

describe('SftCheck', () => {
  async function check(text: string): Promise<{ passed: string; problems: string[] }> {
    const sft = new SftCheck();
    const passed = Buffer.concat(await all(sft.watch(file(text)))).toString();
    try {
      sft.requireGood();
      return { passed, problems: [] };
    } catch (error) {
      return { passed, problems: (error as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join('.')) };
    }
  }

  it('lets everything pass, and has nothing to say about good lines', async () => {
    const text = `${GOOD}\n\n${GOOD}\n`;
    expect(await check(text)).toEqual({ passed: text, problems: [] });
  });

  it('names bad lines, of many the first', async () => {
    const { passed, problems } = await check(`x\n${GOOD}\n{"messages":[1]}`);
    expect(passed).toContain('"messages":[1]');
    expect(problems).toEqual(['body.line 1', 'body.line 3.messages.0']);
    expect((await check('x\n'.repeat(100))).problems).toHaveLength(20);
  });

  it('wants an example', async () => {
    expect((await check('\n \n')).problems).toEqual(['body']);
    expect((await check('')).problems).toEqual(['body']);
  });
});
