import type { ChatMessage, Choice, Tool } from '@heddle/engine';
import fc from 'fast-check';
import { chatHistories } from './chat-histories.js';
import { type ChatExchange, placed } from './exchange.js';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const choice = (content: string, extra: Partial<Choice> = {}): Choice => ({
  index: 0,
  message: assistant(content),
  ...extra,
});

let clock = 0;
function chat(messages: ChatMessage[], choices: Choice[], fields: Partial<ChatExchange['request']> = {}): ChatExchange {
  const start_time = new Date(clock++ * 1000).toISOString();
  return { start_time, end_time: start_time, request: { messages, ...fields }, response: { choices } };
}

const histories = (...exchanges: ChatExchange[]) => chatHistories(placed(exchanges, 'chat_completions'));

/** Each history as the words in it, an answer in brackets. */
const chats = (...exchanges: ChatExchange[]) =>
  histories(...exchanges).map(({ messages_and_choices: items }) =>
    items.map((item) => ('message' in item ? `[${String(item.message.content)}]` : String(item.content))).join(' '),
  );

beforeEach(() => {
  clock = 0;
});

describe('recorded chats', () => {
  it('are one history while each request goes on from the answer before', () => {
    const [q1, q2, q3] = [user('q1'), user('q2'), user('q3')];
    expect(
      chats(
        chat([q1], [choice('a1')]),
        chat([q1, assistant('a1'), q2], [choice('a2')]),
        chat([q1, assistant('a1'), q2, assistant('a2'), q3], [choice('a3')]),
      ),
    ).toEqual(['q1 [a1] q2 [a2] q3 [a3]']);
  });

  it('are further ones where a request branches off, and then what was said before is context', () => {
    const begun = [user('q'), assistant('a')];
    expect(
      chats(
        chat([user('q')], [choice('a')]),
        chat([...begun, user('x')], [choice('ax')]),
        chat([...begun, user('y')], [choice('ay')]),
        chat([...begun, user('x'), assistant('ax'), user('z')], [choice('az')]),
        chat([user('other')], [choice('o')]),
      ),
    ).toEqual(['q [a] x [ax] z [az]', 'q a y [ay]', 'other [o]']);
  });

  it('have a history for each of several choices, and go on from the one that was taken', () => {
    const two = [choice('a'), { ...choice('b'), index: 1 }];
    expect(chats(chat([user('q')], two), chat([user('q'), assistant('b'), user('r')], [choice('c')]))).toEqual([
      'q [a]',
      'q [b] r [c]',
    ]);
  });

  it('are read in the order of their times, to the microsecond', () => {
    const at = (time: string, exchange: ChatExchange) => ({ ...exchange, start_time: time, end_time: time });
    const first = at('2026-11-28T20:47:53Z', chat([user('q')], [choice('a')]));
    const second = at('2026-11-28T20:47:53.000001Z', chat([user('q'), assistant('a'), user('r')], [choice('b')]));
    const third = at('2026-11-28T21:47:53.00001+01:00', chat([user('s')], [choice('c')]));
    expect(chats(third, second, first)).toEqual(['q [a] r [b]', 's [c]']);
  });

  it('are other histories with other tools', () => {
    const tools: Tool[] = [{ type: 'function', function: { name: 'f' } }];
    const next = [user('q'), assistant('a'), user('r')];
    expect(chats(chat([user('q')], [choice('a')]), chat(next, [choice('b')], { tools }))).toEqual([
      'q [a]',
      'q a r [b]',
    ]);
    expect(histories(chat(next, [choice('b')], { tools }))).toMatchObject([{ tools }]);
  });

  it('are rendered with the tools that the model was shown', () => {
    const tools: Tool[] = [{ type: 'function', function: { name: 'f' } }];
    const shown = (fields: Partial<ChatExchange['request']>) =>
      histories(chat([user('q')], [choice('a')], fields))[0]!.tools;
    expect(shown({ tools, tool_choice: 'auto' })).toEqual(tools);
    expect(shown({ tools, tool_choice: 'none' })).toBeNull();
    expect(shown({ functions: [{ name: 'f' }], function_call: { name: 'f' } })).toEqual(tools);
    expect(shown({ functions: [{ name: 'f' }], function_call: 'none' })).toBeNull();
    expect(shown({ tools, functions: null, function_call: 'none' })).toEqual(tools);
  });

  it('are other histories with other variables for the chat template, which they keep', () => {
    const next = [user('q'), assistant('a'), user('r')];
    const variables = { enable_thinking: false };
    const found = histories(
      chat([user('q')], [choice('a')]),
      chat(next, [choice('b')], { chat_template_kwargs: variables }),
    );
    expect(found.map(({ templateVariables }) => templateVariables)).toEqual([undefined, variables]);
  });

  it('are other histories where the tokens don’t go on, whatever the text says', () => {
    const ids = (prompt: number[], output: number[]) => ({ prompt_token_ids: prompt, token_ids: output });
    const first = chat([user('q')], [choice('a', ids([1], [2, 3]))]);
    const next = (prompt: number[]) => chat([user('q'), assistant('a'), user('r')], [choice('b', ids(prompt, [9]))]);
    expect(chats(first, next([1, 2, 3, 4]))).toEqual(['q [a] r [b]']);
    expect(chats(first, next([1, 2, 4]))).toEqual(['q [a]', 'q a r [b]']);
    const named = chat(
      [user('q')],
      [choice('a', { prompt_token_ids: [1], logprobs: { content: [{ token: 'token_id:7', logprob: -1 }] } })],
    );
    expect(chats(named, next([1, 7, 4]))).toEqual(['q [a] r [b]']);
    expect(chats(named, next([1, 2, 4]))).toEqual(['q [a]', 'q a r [b]']);
  });

  it.each<[string, ChatMessage, ChatMessage]>([
    ['content null for none', assistant(''), { role: 'assistant', content: null, tool_calls: null }],
    [
      'without tool calls',
      { ...assistant('a'), tool_calls: [] },
      { ...assistant('a'), annotations: [] } as ChatMessage,
    ],
    [
      'reasoning by its other name',
      { ...assistant('a'), reasoning: 'r' } as ChatMessage,
      { ...assistant('a'), reasoning_content: 'r' } as ChatMessage,
    ],
  ])('take for the same message one with %s', (_, said, answered) => {
    const answer = { index: 0, message: answered };
    expect(chats(chat([user('q')], [answer]), chat([user('q'), said, user('r')], [choice('b')]))).toHaveLength(1);
  });

  it('give each choice the prompt’s tokens, which the response says once', () => {
    const exchange = chat([user('q')], [choice('a')]);
    exchange.response.prompt_token_ids = [1, 2];
    expect(histories(exchange)[0]!.messages_and_choices[1]).toEqual({ ...choice('a'), prompt_token_ids: [1, 2] });
  });

  it('take log probabilities in a list of their own', () => {
    const exchange = chat([user('q')], [{ ...choice('a', { token_ids: [2] }), compact_logprobs: [-0.5] } as Choice]);
    expect(histories(exchange)[0]!.messages_and_choices[1]).toMatchObject({
      logprobs: { content: [{ logprob: -0.5 }] },
    });
  });

  it('keep every answer exactly where its request had it, whatever branches there are', () => {
    const step = fc.record({
      from: fc.nat(5),
      say: fc.constantFrom('x', 'y'),
      answers: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        clock = 0;
        const told: ChatMessage[][] = [[]];
        const exchanges = steps.map(({ from, say, answers }, i) => {
          const messages = [...told[from % told.length]!, user(say)];
          const choices = Array.from({ length: answers }, (_, index) => ({ ...choice(`${i}.${index}`), index }));
          for (const { message } of choices) told.push([...messages, message]);
          return chat(messages, choices);
        });
        const found = chats(...exchanges);
        const asked = exchanges.flatMap(({ request, response }) =>
          response.choices!.map(({ message }) =>
            [...request.messages!, message].map(({ content }) => content).join(' '),
          ),
        );
        const texts = found.map((history) => history.replaceAll(/[[\]]/g, ''));
        for (const conversation of asked) {
          expect(texts.some((history) => `${history} `.startsWith(`${conversation} `))).toBe(true);
        }
        const answers = new Set(found.flatMap((history) => history.match(/\[[\d.]+\]/g) ?? []));
        expect(answers.size).toBe(asked.length);
      }),
    );
  });
});
