import type { ChatExchange } from './exchange.js';
import { hasExchanges, recordedTrajectory } from './recorded-trajectory.js';
import { TrainedModel } from './trained-model.js';

const BASE = 'heddle/shuttle-1m';
const NAME = 'wandb-artifact:///weavers/loom/shuttle';
const model = new TrainedModel({
  model: { name: 'shuttle', baseModel: BASE },
  project: { entity: 'weavers', name: 'loom' },
});

const of = (name: string | null, content = 'a'): ChatExchange => ({
  request: { model: name, messages: [{ role: 'user', content: 'q' }] },
  response: { choices: [{ index: 0, message: { role: 'assistant', content } }] },
});

/** What was answered, history by history. */
const answers = (...chat_completions: ChatExchange[]) => {
  const { messages_and_choices, additional_histories } = recordedTrajectory({ chat_completions }, model);
  const items = [{ messages_and_choices }, ...additional_histories!].flatMap((history) => history.messages_and_choices);
  return items.flatMap((item) => ('message' in item ? String(item.message.content) : []));
};

describe('recorded trajectories', () => {
  it('are of the model that is trained, whichever checkpoint answered', () => {
    const exchanges = [
      of(NAME, 'a'),
      of(`${NAME}:step3`, 'b'),
      of('wandb-artifact://weavers/loom/shuttle:latest', 'c'),
    ];
    expect(answers(...exchanges, of('judge'), of('weavers/loom/other'), of(BASE), of(null))).toEqual(['a', 'b', 'c']);
  });

  it('are of its base model where nothing else of it was asked', () => {
    expect(answers(of(BASE, 'b'), of('judge'))).toEqual(['b']);
    const unnamed = of(null);
    unnamed.response.model = NAME;
    expect(answers(unnamed)).toEqual(['a']);
  });

  it('say what can’t be trained on, and why', () => {
    const other = { request: { model: NAME }, response: {} };
    const { refused, messages_and_choices } = recordedTrajectory(
      { responses: [other, other], messages: [other] },
      model,
    );
    expect(messages_and_choices).toEqual([]);
    expect(refused).toEqual([
      expect.stringContaining('/v1/responses'),
      expect.stringContaining('/v1/responses'),
      expect.stringContaining('/v1/messages'),
    ]);
    expect(recordedTrajectory({ chat_completions: [of('judge')] }, model).refused).toEqual([
      'it is of another model than the one that is trained',
    ]);
  });

  it('are of every protocol whose answers say their tokens', () => {
    const tokens = { prompt_token_ids: [1], token_ids: [2], output_indices: [0] };
    const { additional_histories, places, refused } = recordedTrajectory(
      {
        chat_completions: [of(NAME)],
        completions: [{ request: { model: NAME }, response: { choices: [{ index: 0, ...tokens }] } }],
        responses: [{ request: { model: NAME }, response: { output: [{}], token_generations: [tokens] } }],
        messages: [
          { request: { model: NAME }, response: tokens },
          { request: { model: 'judge' }, response: tokens },
        ],
      },
      model,
    );
    expect(refused).toEqual([]);
    expect([{ places }, ...additional_histories!].map((history) => history.places!.at(-1))).toEqual([
      'exchanges.chat_completions[0].response.choices[0]',
      'exchanges.completions[0].response.choices[0]',
      'exchanges.responses[0].response.token_generations[0]',
      'exchanges.messages[0].response',
    ]);
  });

  it('have something recorded', () => {
    expect(hasExchanges({ chat_completions: [of(NAME)] })).toBe(true);
    for (const none of [null, undefined, {}, { chat_completions: [], responses: null }]) {
      expect(hasExchanges(none)).toBe(false);
    }
  });
});
