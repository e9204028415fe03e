import { readStreamRequest } from './stream-request.js';

const read = (body: unknown) => readStreamRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('readStreamRequest', () => {
  it('reads lines by stream, the summary and the end', async () => {
    const request = await read({
      files: {
        'wandb-history.jsonl': { offset: 5, content: ['{"a":1}', '{"a":2}'] },
        'wandb-events.jsonl': { offset: 0, content: ['{}'] },
        'output.log': { offset: 2, content: ['hello'] },
        'wandb-summary.json': { offset: 0, content: ['{"a":NaN}'] },
      },
      complete: true,
      exitcode: 3,
    });
    expect(request).toEqual({
      streams: {
        history: { offset: 5, lines: ['{"a":1}', '{"a":2}'] },
        events: { offset: 0, lines: ['{}'] },
        log: { offset: 2, lines: ['hello'] },
      },
      summary: '{"a":NaN}',
      isComplete: true,
      exitCode: 3,
      refused: 0,
    });
  });

  it.each(['', '{', '[]', 'null', '1'])('reads nothing of %j, without an error', async (body) => {
    expect(await read(body)).toMatchObject({ streams: {}, isComplete: false, refused: 1 });
  });

  it('gives others their turn while it reads a great body', async () => {
    const content = Array.from({ length: 4000 }, (_, i) => JSON.stringify({ text: 'x'.repeat(1000), _step: i }));
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const { streams } = await read({ files: { 'wandb-history.jsonl': { offset: 0, content } } });
    clearInterval(counting);
    expect(streams.history!.lines).toEqual(content);
    expect(turns).toBeGreaterThan(0);
  });

  it.each([
    ['no content', {}],
    ['content of another kind', { content: 'text' }],
    ['a negative place', { offset: -1, content: ['a'] }],
    ['a place beyond all lines', { offset: 2 ** 40, content: ['a'] }],
  ])('counts %s, and takes the rest', async (_what, history) => {
    const files = { 'wandb-history.jsonl': history, 'output.log': { offset: 0, content: ['kept'] }, 'other.txt': {} };
    expect(await read({ files })).toMatchObject({ streams: { log: { lines: ['kept'] } }, refused: 2 });
  });
});
