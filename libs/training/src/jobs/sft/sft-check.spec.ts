import { Readable } from 'node:stream';
import { SftCheck } from './sft-check.js';
import { sftExamplesOf } from './sft-lines.js';

const user = { role: 'user', content: 'Who wove it?' };
const assistant = { role: 'assistant', content: 'Ada.' };
const line = (value: unknown): string => JSON.stringify(value);
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

  it('says where a byte is not UTF-8', async () => {
    const [before, after] = GOOD.split('wove');
    const bytes = Buffer.concat([Buffer.from(`${GOOD}\n${before!}`), Buffer.of(0xe9), Buffer.from(after!)]);
    const place = `byte ${Buffer.byteLength(before!) + 1} is wrong`;
    await expect(all(sftExamplesOf(Readable.from([bytes])))).rejects.toThrow(`Line 2 is not UTF-8: ${place}`);
    const cut = Buffer.from(`${GOOD}é`).subarray(0, -1);
    await expect(all(sftExamplesOf(Readable.from([cut])))).rejects.toThrow('Line 1 is not UTF-8');
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

  it.each([
    [[0.1], undefined, 'has 1 entries, but 3 examples in batches of 2 make 2 batches'],
    [[0.1, 0.2], 1, 'has 2 entries, but 3 examples in batches of 1 make 3 batches'],
    [[0.1, 0.2], 2, undefined],
  ])('wants a learning rate for each batch: %j in batches of %s', async (learning_rate, batch_size, problem) => {
    const sft = new SftCheck();
    await all(sft.watch(file(`${GOOD}\n\n${GOOD}\n${GOOD}`)));
    const check = () => sft.requireGood({ learning_rate, batch_size }, ['query']);
    if (problem === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({
          detail: [expect.objectContaining({ loc: ['query', 'learning_rate'], msg: problem })],
        }),
      );
  });

  it('counts the keys that nobody reads', async () => {
    const sft = new SftCheck();
    const odd = {
      messages: [
        { ...user, note: 1 },
        { ...assistant, wieght: 0, annotations: [], audio: null },
      ],
      id: 7,
    };
    await all(sft.watch(file(`${line(odd)}\n${line(odd)}\n${GOOD}`)));
    expect([...sft.unknownKeys]).toEqual([
      'Unknown keys of the training data are ignored: id (2 times), messages[].note (2 times), messages[].wieght (2 times)',
    ]);
    expect(sft.unknownKeys.metrics).toEqual({ num_unknown_keys: 6 });
    const none = new SftCheck();
    await all(none.watch(file(GOOD)));
    expect([[...none.unknownKeys], none.unknownKeys.metrics]).toEqual([[], {}]);
    const many = new SftCheck();
    const names = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key${i}`, 1]));
    await all(many.watch(file(line({ ...names, messages: [user, assistant] }))));
    expect([...many.unknownKeys][0]).toMatch(/key19 \(once\), others \(10 times\)$/);
  });

  it('wants an example', async () => {
    expect((await check('\n \n')).problems).toEqual(['body']);
    expect((await check('')).problems).toEqual(['body']);
  });
});
