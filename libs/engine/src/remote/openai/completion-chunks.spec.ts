import { piecesOf } from './completion-chunks.js';

const logprobs = {
  tokens: ['token_id:5', 'token_id:6'],
  token_logprobs: [-1, -2],
  top_logprobs: [{ 'token_id:5': -1, 'token_id:9': -0.5 }, null],
};

describe('a chunk of a completion', () => {
  it('has tokens, their log probabilities and what else was probable, the best first', () => {
    expect(piecesOf({ choices: [{ index: 1, text: 'x', token_ids: [5, 6], logprobs }] })).toEqual([
      {
        choice: 1,
        tokens: [
          {
            id: 5,
            logprob: -1,
            top: [
              { id: 9, logprob: -0.5 },
              { id: 5, logprob: -1 },
            ],
          },
          { id: 6, logprob: -2, top: [] },
        ],
      },
    ]);
  });

  it('is read where ids stand only in place of the texts', () => {
    const [piece] = piecesOf({ choices: [{ index: 0, logprobs }] });
    expect(piece!.tokens.map(({ id }) => id)).toEqual([5, 6]);
  });

  it('may say nothing new', () => {
    expect(
      piecesOf({ choices: [{ index: 0, text: '', token_ids: [], logprobs: null, finish_reason: 'stop' }] }),
    ).toEqual([{ choice: 0, tokens: [] }]);
    expect(piecesOf({ choices: [], usage: {} })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [null, 'an event that is no object'],
    [{ choices: [{}] }, 'a choice without an index'],
    [{ choices: [{ index: 0, token_ids: [5] }] }, 'tokens without log probabilities'],
    [{ choices: [{ index: 0, logprobs: { tokens: ['a'], token_logprobs: [] } }] }, 'logprobs that are none'],
    [
      { choices: [{ index: 0, logprobs: { tokens: ['a'], token_logprobs: [null] } }] },
      'a token without a log probability',
    ],
    [{ choices: [{ index: 0, logprobs: { tokens: ['a'], token_logprobs: [-1] } }] }, 'a token without its id'],
  ])('%j is refused', (chunk, what) => {
    expect(() => piecesOf(chunk)).toThrow(
      expect.objectContaining({ code: 'bad_answer', message: `the inference server sent ${what}` }),
    );
  });

  it('tells of an error in the middle', () => {
    expect(() => piecesOf({ error: { message: 'out of memory' } })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: 'the inference server broke off: out of memory' }),
    );
  });
});
