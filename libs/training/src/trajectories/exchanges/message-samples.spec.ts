import { type MessageExchange, placed } from './exchange.js';
import { messageSamples } from './message-samples.js';

const message = (fields: MessageExchange['response']): MessageExchange => ({
  request: {},
  response: { prompt_token_ids: [1], token_ids: [2, 3], logprobs: [-1, -2], content: [{}], ...fields },
});
const choices = (...exchanges: MessageExchange[]) =>
  messageSamples(placed(exchanges, 'messages')).map(({ choice }) => choice);

describe('recorded messages', () => {
  it('are what was sampled, with its tokens and log probabilities', () => {
    expect(messageSamples(placed([message({})], 'messages'))).toEqual([
      {
        place: 'exchanges.messages[0].response',
        choice: {
          index: 0,
          message: { role: 'assistant', content: '' },
          prompt_token_ids: [1],
          token_ids: [2, 3],
          logprobs: {
            content: [
              { token: '', logprob: -1 },
              { token: '', logprob: -2 },
            ],
          },
        },
      },
    ]);
  });

  it('take the shorter list of log probabilities', () => {
    expect(choices(message({ logprobs: null, compact_logprobs: [-3, null] } as object))).toMatchObject([
      { logprobs: { content: [{ logprob: -3 }, { logprob: null }] } },
    ]);
  });

  it('have no log probabilities where nobody says them', () => {
    expect(choices(message({ logprobs: null }), message({ logprobs: 'no' }))).toMatchObject([
      { logprobs: null },
      { logprobs: null },
    ]);
  });

  it.each([{ prompt_token_ids: null }, { prompt_token_ids: [] }, { token_ids: null }, { token_ids: [] }])(
    'say what is missing where there are %j',
    (fields) => {
      expect(choices(message(fields))).toEqual(['a message of /v1/messages has no prompt_token_ids and token_ids']);
    },
  );

  it('may say nothing', () => {
    expect(choices(message({ token_ids: [], content: [] }))).toMatchObject([{ token_ids: [] }]);
  });
});
