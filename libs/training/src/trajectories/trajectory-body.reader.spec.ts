import type { ValidationDetail, ValidationError } from '@heddle/http';
import { readTrajectoryBody } from './trajectory-body.reader.js';

const ASSISTANT = { role: 'assistant', content: 'yes' };
const CHOICE = { index: 0, finish_reason: 'stop', message: ASSISTANT, logprobs: { content: [] } };
const trajectory = (fields: object = {}): object => ({ messages_and_choices: [ASSISTANT, CHOICE], ...fields });
const body = (...groups: unknown[]): object => ({ trajectory_groups: groups });

const read = (value: unknown) =>
  readTrajectoryBody(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

async function details(value: unknown): Promise<ValidationDetail[]> {
  const error = await read(value).then(
    () => undefined,
    (thrown: unknown) => thrown as ValidationError,
  );
  return error?.detail ?? [];
}
const problems = async (value: unknown) => (await details(value)).map(({ loc, type }) => `${loc.join('.')}: ${type}`);
const IN_GROUP = 'body.trajectory_groups.0.trajectories.0';

describe('readTrajectoryBody', () => {
  it('finds the groups, and counts what is in them', async () => {
    const { root, groups, statistics } = await read({
      model_id: 'm',
      trajectory_groups: [
        { trajectories: [trajectory({ reward: 1 }), trajectory({ reward: 0 })], exceptions: [{ type: 'Boom' }] },
        { trajectories: [] },
      ],
    });
    expect(root.get('model_id')?.string()).toBe('m');
    expect(groups.map((group) => group.get('trajectories')?.nesting)).toEqual([expect.any(Number), 1]);
    expect(statistics).toMatchObject({ groups: 2, trajectories: 2, exceptions: 1 });
    expect(statistics.means().get('reward')).toBe(0.5);
  });

  it('takes null for what is absent, and unknown keys for nobody’s mistake', async () => {
    const absent = { reward: null, metrics: null, additional_histories: null, tools: null, more: { x: [1] } };
    const { statistics } = await read(body({ trajectories: [trajectory(absent)], exceptions: null, logs: null, x: 1 }));
    expect([...statistics.means()]).toEqual([
      ['reward', 0],
      ['exception_rate', 0],
    ]);
  });

  it('takes defaults for all that newer clients leave out', async () => {
    const none = {
      messages_and_choices: null,
      additional_histories: [{}, { messages_and_choices: null }],
      exchanges: null,
    };
    const { statistics } = await read(
      body({}, { exceptions: [{ type: 'Boom' }] }, { trajectories: null }, { trajectories: [{}, none] }),
    );
    expect(statistics).toMatchObject({ groups: 4, trajectories: 2, exceptions: 1 });
    expect(statistics.means().get('reward')).toBe(0);
  });

  it('means metrics, booleans as 0 and 1', async () => {
    const metrics = [{ ok: true, turns: 3 }, { ok: false, turns: null }, {}].map((each) =>
      trajectory({ metrics: each }),
    );
    const means = (await read(body({ trajectories: metrics }))).statistics.means();
    expect([means.get('ok'), means.get('turns')]).toEqual([0.5, 3]);
  });

  it.each<[unknown, string]>([
    [[], 'body: object_type'],
    [{}, 'body.trajectory_groups: missing'],
    [{ trajectory_groups: null }, 'body.trajectory_groups: array_type'],
    [body(1), 'body.trajectory_groups.0: object_type'],
    [body({ trajectories: [] }, { trajectories: {} }), 'body.trajectory_groups.1.trajectories: array_type'],
    [body({ trajectories: [], exceptions: 2 }), 'body.trajectory_groups.0.exceptions: array_type'],
    [body({ trajectories: ['x'] }), `${IN_GROUP}: object_type`],
    [
      body({ trajectories: [trajectory({ messages_and_choices: {} })] }),
      `${IN_GROUP}.messages_and_choices: array_type`,
    ],
    [body({ trajectories: [trajectory({ reward: '1' })] }), `${IN_GROUP}.reward: number_type`],
    [body({ trajectories: [trajectory({ metrics: [] })] }), `${IN_GROUP}.metrics: object_type`],
    [body({ trajectories: [trajectory({ metrics: { a: 'x' } })] }), `${IN_GROUP}.metrics.a: number_type`],
    [body({ trajectories: [trajectory({ metrics: { 'a\n': 1 } })] }), `${IN_GROUP}.metrics.a\n: metric_name`],
    [body({ trajectories: [trajectory({ tools: {} })] }), `${IN_GROUP}.tools: array_type`],
    [
      body({ trajectories: [trajectory({ additional_histories: [trajectory(), 1] })] }),
      `${IN_GROUP}.additional_histories.1: object_type`,
    ],
  ])('names what is wrong in %j', async (value, problem) => {
    expect(await problems(value)).toEqual([problem]);
  });

  it.each([1, null, {}, { content: 'no role' }, { role: 1 }, { index: 0, message: 'text' }])(
    'takes %j for neither message nor choice, also in a further history',
    async (element) => {
      const bad = { messages_and_choices: [ASSISTANT, element] };
      expect(await problems(body({ trajectories: [bad] }))).toEqual([
        `${IN_GROUP}.messages_and_choices.1: message_or_choice`,
      ]);
      expect(await problems(body({ trajectories: [trajectory({ additional_histories: [bad] })] }))).toEqual([
        `${IN_GROUP}.additional_histories.0.messages_and_choices.1: message_or_choice`,
      ]);
    },
  );

  it('looks into further histories that are large', async () => {
    const large = { role: 'user', content: 'x'.repeat(300 * 1024) };
    const histories = [{ messages_and_choices: [large] }, { messages_and_choices: [large, 1] }];
    expect(await problems(body({ trajectories: [trajectory({ additional_histories: histories })] }))).toEqual([
      `${IN_GROUP}.additional_histories.1.messages_and_choices.1: message_or_choice`,
    ]);
  });

  describe('with recorded exchanges', () => {
    const CHAT = { request: { messages: [{ role: 'user', content: 'q' }] }, response: { choices: [CHOICE] } };
    const recorded = (chat_completions: unknown, more: object = {}) =>
      body({ trajectories: [{ exchanges: { chat_completions, ...more } }] });

    it('takes them in place of a history', async () => {
      const rewarded = { exchanges: { chat_completions: [CHAT, CHAT], responses: null, later: 1 }, reward: 1 };
      expect((await read(body({ trajectories: [rewarded] }))).statistics.means().get('reward')).toBe(1);
      expect(
        await problems(
          recorded([
            { ...CHAT, request: {} },
            { ...CHAT, response: { choices: null } },
          ]),
        ),
      ).toEqual([]);
      expect(await problems(recorded([], { messages: [CHAT], completions: [CHAT], responses: [CHAT] }))).toEqual([]);
    });

    it.each<[unknown, string]>([
      [recorded({}), 'exchanges.chat_completions: array_type'],
      [body({ trajectories: [{ exchanges: [] }] }), 'exchanges: object_type'],
      [recorded([CHAT, { response: CHAT.response }]), 'exchanges.chat_completions.1.request: object_type'],
      [recorded([{ ...CHAT, response: null }]), 'exchanges.chat_completions.0.response: object_type'],
      [
        recorded([{ ...CHAT, request: { messages: [ASSISTANT, { content: 'x' }] } }]),
        'exchanges.chat_completions.0.request.messages.1: message_type',
      ],
      [recorded([{ ...CHAT, request: { tools: {} } }]), 'exchanges.chat_completions.0.request.tools: array_type'],
      [
        recorded([{ ...CHAT, request: { functions: {} } }]),
        'exchanges.chat_completions.0.request.functions: array_type',
      ],
      [
        recorded([{ ...CHAT, request: { chat_template_kwargs: [] } }]),
        'exchanges.chat_completions.0.request.chat_template_kwargs: object_type',
      ],
      [
        recorded([{ ...CHAT, response: { choices: [{ index: 0 }] } }]),
        'exchanges.chat_completions.0.response.choices.0: choice_type',
      ],
      [
        recorded([], { completions: [{ request: {}, response: { choices: [{ text: 'x' }] } }] }),
        'exchanges.completions.0.response.choices.0: choice_type',
      ],
      [recorded([], { responses: [1] }), 'exchanges.responses.0.request: object_type'],
      [body({ trajectories: [trajectory({ exchanges: { chat_completions: [CHAT] } })] }), 'exchanges: two_histories'],
      [body({ trajectories: [{ tools: [], exchanges: { messages: [CHAT] } }] }), 'exchanges: two_histories'],
    ])('names what is wrong in %j', async (value, problem) => {
      expect((await problems(value))[0]).toBe(`${IN_GROUP}.${problem}`);
    });

    it('looks into large ones, and leaves those alone that are empty', async () => {
      const large = { role: 'user', content: 'x'.repeat(300 * 1024) };
      expect(await problems(recorded([CHAT, { ...CHAT, request: { messages: [large, 1] } }]))).toEqual([
        `${IN_GROUP}.exchanges.chat_completions.1.request.messages.1: message_type`,
      ]);
      expect(await problems(body({ trajectories: [trajectory({ exchanges: { chat_completions: [] } })] }))).toEqual([]);
    });
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('names the place of a literal %s', async (token) => {
    const text = (value: unknown) => JSON.stringify(value).replace('"?"', token);
    expect(await problems(text(body({ trajectories: [trajectory({ note: 'NaN \\" I', reward: '?' })] })))).toEqual([
      `${IN_GROUP}.reward: finite_number`,
    ]);
    const deep = {
      ...CHOICE,
      logprobs: {
        content: [
          { token: 'a', logprob: -1 },
          { token: 'b', logprob: '?' },
        ],
      },
    };
    expect(await problems(text(body({ trajectories: [trajectory({ messages_and_choices: [deep] })] })))).toEqual([
      `${IN_GROUP}.messages_and_choices.0.logprobs.content.1.logprob: finite_number`,
    ]);
  });

  it('names a reward that is too great for a number', async () => {
    const text = JSON.stringify(body({ trajectories: [trajectory({ reward: '?' })] })).replace('"?"', '1e999');
    expect(await details(text)).toMatchObject([{ type: 'finite_number', input: '1e999' }]);
  });

  it.each(['', '{', '{"trajectory_groups": [}', '[1,]'])('refuses %j, which is no JSON', async (text) => {
    expect(await problems(text)).toEqual(['body: json_invalid']);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const bytes = Buffer.from('{"trajectory_groups": [], "x": "\xff"}', 'latin1');
    await expect(readTrajectoryBody(bytes)).rejects.toMatchObject({ detail: [{ type: 'json_invalid' }] });
  });

  it('names many problems at once, but not all of 1,000', async () => {
    const bad = Array.from({ length: 1000 }, () => trajectory({ reward: 'x' }));
    expect(await problems(body({ trajectories: bad }))).toHaveLength(20);
  });

  it('refuses more than 1,000 names of metrics', async () => {
    const metrics = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`m${i}`, i]));
    expect(await problems(body({ trajectories: [trajectory({ metrics })] }))).toEqual([
      `${IN_GROUP}.metrics.m1000: too_many_metrics`,
    ]);
  });
});
