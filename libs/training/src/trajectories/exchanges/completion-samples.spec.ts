import { completionSamples } from './completion-samples.js';
import { type CompletionExchange, placed } from './exchange.js';
import { tokenHistories } from './token-histories.js';

describe('recorded completions', () => {
  const completion = (prompt: number[], ids: number[], logprobs = ids.map(() => -1)): CompletionExchange => ({
    request: { prompt },
    response: { choices: [{ index: 0, text: 'x', token_ids: ids, logprobs: { token_logprobs: logprobs } }] },
  });
  const read = (...completions: CompletionExchange[]) =>
    tokenHistories(completionSamples(placed(completions, 'completions')));

  it('are choices with their tokens and log probabilities', () => {
    expect(read(completion([1], [2, 3], [-0.5, -0.25]))[0]!.messages_and_choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'x' },
        prompt_token_ids: [1],
        token_ids: [2, 3],
        logprobs: {
          content: [
            { token: '', logprob: -0.5 },
            { token: '', logprob: -0.25 },
          ],
        },
      },
    ]);
  });

  it('are one history while each prompt begins with all that came before', () => {
    expect(read(completion([1], [2]), completion([1, 2, 3], [4]), completion([1, 5], [6]))).toMatchObject([
      { messages_and_choices: [{ token_ids: [2] }, { token_ids: [4] }] },
      { messages_and_choices: [{ token_ids: [6] }], places: ['exchanges.completions[2].response.choices[0]'] },
    ]);
  });

  it('take names of tokens for ids, and of an echo what was sampled', () => {
    const named = completion([1], []);
    named.response.choices = [{ index: 0, logprobs: { tokens: ['token_id:7'], token_logprobs: [-1] } }];
    expect(read(named)[0]!.messages_and_choices).toMatchObject([
      { token_ids: [7], logprobs: { content: [{ logprob: -1 }] } },
    ]);
    const echo = completion([1], [2], [0, -3]);
    echo.request.echo = true;
    expect(read(echo)[0]!.messages_and_choices).toMatchObject([{ logprobs: { content: [{ logprob: -3 }] } }]);
  });

  it('have no tokens where the prompt is text and nothing says its ids', () => {
    const text = completion([1], [2]);
    text.request.prompt = 'once';
    expect(read(text)[0]!.messages_and_choices).toMatchObject([{ prompt_token_ids: [] }]);
  });
});
