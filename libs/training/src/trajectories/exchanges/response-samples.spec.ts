import { placed, type ResponseExchange } from './exchange.js';
import { responseSamples } from './response-samples.js';
import { refusalsOf, tokenHistories } from './token-histories.js';

const message = { type: 'message' };
const generation = (prompt: number[], ids: number[], output_indices = [0]) => ({
  prompt_token_ids: prompt,
  output_tokens: ids.map((token_id) => ({ token_id, logprob: -0.5 })),
  output_indices,
});
const response = (token_generations: unknown, output: unknown = [message]): ResponseExchange => ({
  request: {},
  response: { output, token_generations },
});

const samples = (...exchanges: ResponseExchange[]) => responseSamples(placed(exchanges, 'responses'));

describe('recorded responses', () => {
  it('are what was sampled, with its tokens and log probabilities', () => {
    expect(samples(response([generation([1], [2, 3])]))).toEqual([
      {
        place: 'exchanges.responses[0].response.token_generations[0]',
        choice: {
          index: 0,
          message: { role: 'assistant', content: '' },
          prompt_token_ids: [1],
          token_ids: [2, 3],
          logprobs: {
            content: [
              { token: '', logprob: -0.5 },
              { token: '', logprob: -0.5 },
            ],
          },
        },
      },
    ]);
  });

  it('are several samples where tools ran between them, and one history where the tokens go on', () => {
    const output = [message, { type: 'function_call_output' }, message];
    const both = response([generation([1], [2]), generation([1, 2, 9], [3], [2])], output);
    const next = response([generation([1, 2, 9, 3, 8], [4])]);
    const other = response([generation([1, 5], [6])]);
    expect(tokenHistories(samples(both, next, other)).map(({ places }) => places)).toEqual([
      [
        'exchanges.responses[0].response.token_generations[0]',
        'exchanges.responses[0].response.token_generations[1]',
        'exchanges.responses[1].response.token_generations[0]',
      ],
      ['exchanges.responses[2].response.token_generations[0]'],
    ]);
  });

  it.each([
    ['names of tokens', { output_tokens: [{ token: 'token_id:7', logprob: -0.25 }] }],
    ['lists', { token_ids: [7], compact_logprobs: [-0.25] }],
    ['a list and pairs', { token_ids: [7], output_tokens: [{ token_id: 7, logprob: -0.25 }] }],
  ])('take %s', (_, tokens) => {
    const sent = { prompt_token_ids: [1], output_indices: [0], ...tokens };
    expect(samples(response([sent]))).toMatchObject([
      { choice: { token_ids: [7], logprobs: { content: [{ logprob: -0.25 }] } } },
    ]);
  });

  it('have no log probabilities where none is known', () => {
    expect(samples(response([{ prompt_token_ids: [1], output_indices: [0], token_ids: [7] }]))).toMatchObject([
      { choice: { token_ids: [7], logprobs: null } },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['no token ids', undefined, [message]],
    ['no token ids', null, [message]],
    ['no token ids', [], [message]],
    ['no token ids', 'many', [message]],
    ['no token ids', [null], [message]],
    ['no token ids', [{ ...generation([], [1]) }], [message]],
    ['no token ids', [{ ...generation([1], [2]), prompt_token_ids: ['one'] }], [message]],
    ['no token ids', [{ ...generation([1], [2]), output_tokens: [{ token: 'yes' }] }], [message]],
    ['no token ids', [{ ...generation([1], [2]), output_tokens: [null] }], [message]],
    ['no token ids', [{ ...generation([1], [2]), output_indices: 0 }], [message]],
    ['output_indices', [generation([1], [2], [1])], [message]],
    ['output_indices', [generation([1], [2], [0, 0])], [message, message]],
    ['output_indices', [generation([1], [2], [0.5])], [message, message]],
    ['output_indices', [generation([1], [2])], 'nothing'],
    ['leave out an item', [generation([1], [2], [])], [message]],
    ['has no item', [generation([1], [2], []), generation([1], [2])], [message]],
  ])('say %s of %j', (reason, generations, output) => {
    const refused = refusalsOf(samples(response(generations, output)));
    expect(refused).toEqual([expect.stringContaining(reason)]);
    expect(tokenHistories(samples(response(generations, output)))).toEqual([]);
  });
});
