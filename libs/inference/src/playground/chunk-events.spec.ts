import { ChunkSum, eventTexts } from './chunk-events.js';

const sumOf = (...chunks: object[]) => {
  const sum = new ChunkSum('asked');
  for (const chunk of chunks) sum.add(JSON.stringify(chunk));
  return sum.outcome();
};
const delta = (index: number, more: object, finish_reason: string | null = null) => ({
  model: 'm',
  choices: [{ index, delta: more, finish_reason }],
});

describe('eventTexts', () => {
  it('has the events of a stream, however they come, and not its end', async () => {
    const pieces = ['data: {"a":1}\n\ndata: {"b":2}\n\n', '', 'data: {"c":3}\n\n', 'data: [DONE]\n\n'];
    const texts: string[] = [];
    const stream = (async function* () {
      yield* pieces;
    })();
    for await (const text of eventTexts(stream)) texts.push(text);
    expect(texts).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });
});

describe('ChunkSum', () => {
  it('puts texts together, choice by choice, with what they took', () => {
    const usage = { total_tokens: 3 };
    const ends = delta(1, { content: 'c' }, 'stop');
    expect(
      sumOf(delta(1, { content: 'b' }), delta(0, { content: 'a' }, 'length'), ends, { choices: [], usage }),
    ).toEqual({
      model: 'm',
      usage,
      choices: [
        { index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'length' },
        { index: 1, message: { role: 'assistant', content: 'bc' }, finish_reason: 'stop' },
      ],
    });
  });

  it('puts calls of tools together', () => {
    const call = (more: object) => delta(0, { tool_calls: [{ index: 0, ...more }] });
    const first = call({ id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{"a"' } });
    expect(sumOf(first, call({ function: { arguments: ':1}' } }))).toMatchObject({
      choices: [
        {
          message: {
            tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } }],
          },
        },
      ],
    });
  });

  it('has failed where a chunk says so', () => {
    expect(sumOf(delta(0, { content: 'a' }), { error: { message: 'no more' } })).toEqual({ exception: 'no more' });
  });
});
