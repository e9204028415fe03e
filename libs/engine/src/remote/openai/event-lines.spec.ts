import { eventValues } from './event-lines.js';

const valuesOf = async (...pieces: string[]): Promise<unknown[]> => {
  const bytes = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  const values: unknown[] = [];
  for await (const value of eventValues(bytes)) values.push(value);
  return values;
};

describe('server-sent events', () => {
  it('are read however they are cut', async () => {
    expect(
      await valuesOf('da', 'ta: {"a":1}\n', '\nda', 'ta:{"a":2}\r\n\r\n', ': a comment\n\ndata: [DONE]\n\n'),
    ).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('are read in characters that a cut divides', async () => {
    const bytes = Buffer.from('data: "ü"\n');
    const halves = (async function* () {
      yield bytes.subarray(0, 8);
      yield bytes.subarray(8);
    })();
    for await (const value of eventValues(halves)) expect(value).toBe('ü');
  });

  it('end with [DONE], or where the connection does', async () => {
    expect(await valuesOf('data: 1\ndata: [DONE]\ndata: 2\n')).toEqual([1]);
    expect(await valuesOf('data: 1\ndata: 2')).toEqual([1]);
  });

  it('are refused where they are no JSON', async () => {
    await expect(valuesOf('data: {\n')).rejects.toMatchObject({ code: 'bad_answer' });
  });
});
