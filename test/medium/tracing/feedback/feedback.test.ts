import { startApi, type TestApi } from '../../../support/api.js';
import { type Answer, TraceClient } from '../objects/trace-client.js';

interface Found {
  id: string;
  payload: Record<string, unknown>;
  [field: string]: unknown;
}

const field = (name: string) => ({ $getField: name });
const literal = (value: unknown) => ({ $literal: value });
const where = ($expr: object) => ({ query: { $expr } });

const judged = {
  feedback_type: 'wandb.runnable.judge',
  runnable_ref: 'weave:///a/b/object/judge:v1',
  payload: { output: 1 },
};

describe('feedback', () => {
  let api: TestApi;
  let client: TraceClient;
  let stranger: TraceClient;
  let username: string;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    const [member, other] = [await api.given.member(), await api.given.member()];
    username = member.username;
    client = new TraceClient(api.url, member, member.entity);
    stranger = new TraceClient(api.url, other, member.entity);
  });
  afterAll(() => api.close());

  /** A call reference that no other test uses. */
  const someRef = (): string => `weave:///${client.projectId}/call/call-${++counter}`;
  const feedback = (weave_ref: string, more: object = {}): object => ({
    project_id: client.projectId,
    weave_ref,
    feedback_type: 'rating',
    payload: { stars: 5 },
    ...more,
  });
  const create = (weave_ref: string, more: object = {}): Promise<Answer> =>
    client.post('/feedback/create', feedback(weave_ref, more));
  const query = async (body: object): Promise<{ result: Found[]; total_count: number }> => {
    const answer = await client.post('/feedback/query', body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json();
  };
  const about = async (weave_ref: string): Promise<Found[]> =>
    (await query(where({ $eq: [field('weave_ref'), literal(weave_ref)] }))).result;

  it('comes back whole, by whoever really sent it', async () => {
    const ref = someRef();
    const created = await create(ref, { creator: 'ann', wb_user_id: 'somebody else', scorer_tags: ['good'] });
    expect(created.json()).toEqual({
      id: expect.any(String) as unknown,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as unknown,
      wb_user_id: username,
      payload: { stars: 5 },
    });
    expect(await about(ref)).toMatchObject([
      {
        project_id: client.projectId,
        weave_ref: ref,
        wb_user_id: username,
        creator: 'ann',
        feedback_type: 'rating',
        payload: { stars: 5 },
        annotation_ref: null,
        scorer_tags: ['good'],
      },
    ]);
  });

  it('keeps a payload as it was sent', async () => {
    const ref = someRef();
    const payload = `{"n": 12345678901234567890, "t": "\\u0000 \\ud800",  "deep": ${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const body = JSON.stringify(feedback(ref, { payload: 0 })).replace('"payload":0', `"payload":${payload}`);
    const created = await client.post('/feedback/create', body);
    expect([created.status, created.text.includes(payload)]).toEqual([200, true]);
    const found = await client.post('/feedback/query', where({ $eq: [field('weave_ref'), literal(ref)] }));
    expect(found.text.includes(payload)).toBe(true);
    expect(await query(where({ $gt: [field('payload.n'), literal(1e18)] }))).toMatchObject({ total_count: 1 });
  });

  it('creates a batch in order, and the same ids again change nothing', async () => {
    const ref = someRef();
    const batch = ['b', 'a', 'c'].map((id) => feedback(ref, { id: `batch-${id}`, payload: { id } }));
    const first = await client.post('/feedback/batch/create', { batch });
    const again = await client.post('/feedback/batch/create', {
      batch: batch.map((item) => ({ ...item, payload: { id: 'changed' } })),
    });
    const { res } = first.json<{ res: Found[] }>();
    expect(res.map(({ id, payload }) => [id, payload['id']])).toEqual([
      ['batch-b', 'b'],
      ['batch-a', 'a'],
      ['batch-c', 'c'],
    ]);
    expect(again.json()).toEqual({ res });
    expect(await about(ref)).toHaveLength(3);
  });

  it('names the item that refuses a batch, so that clients can split it', async () => {
    const ref = someRef();
    const batch = [feedback(ref), feedback(ref, { payload: 'text' })];
    const answer = await client.post('/feedback/batch/create', { batch });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ detail: [{ loc: ['body', 'batch', '1', 'payload'] }] });
    expect(await about(ref)).toEqual([]);
  });

  it.each([
    ['no reference', { weave_ref: 'call-1' }],
    ['a reference that is too long', { weave_ref: `weave:///a/b/call/${'x'.repeat(2000)}` }],
    ['a payload over 1 MiB', { payload: { text: 'x'.repeat(1024 * 1024) } }],
    ['a note without text', { feedback_type: 'wandb.note.1' }],
    ['a reaction without an emoji', { feedback_type: 'wandb.reaction.1', payload: { emoji: 1 } }],
    ['an annotation without its reference', { feedback_type: 'wandb.annotation.quality' }],
    ['a score without its scorer', { feedback_type: 'wandb.runnable.judge' }],
    ['an empty note', { feedback_type: 'wandb.note.1', payload: { note: '' } }],
    ['a note of 1,025 characters', { feedback_type: 'wandb.note.1', payload: { note: 'x'.repeat(1025) } }],
    ['a reaction with two emojis', { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍👎' } }],
    ['a scorer where nothing scored', { runnable_ref: 'weave:///a/b/object/judge:v1' }],
    ['a call where nothing ran', { call_ref: 'weave:///a/b/call/1' }],
    ['a scorer of another name', { ...judged, runnable_ref: 'weave:///a/b/object/other:v1' }],
    ['a scorer that is a call', { ...judged, runnable_ref: 'weave:///a/b/call/judge' }],
    ['an op that scored in no call', { ...judged, runnable_ref: 'weave:///a/b/op/judge:v1' }],
    ['a score without output', { ...judged, payload: {} }],
    ['a monitor that nothing triggered', { ...judged, feedback_type: 'wandb.agent_monitor' }],
  ])('is refused with %s', async (_name, more) => {
    expect((await create(someRef(), more)).status).toBe(422);
  });

  it('is scored by an object, or by an op in a call', async () => {
    for (const more of [
      judged,
      { ...judged, runnable_ref: 'weave:///a/b/op/judge:v1', call_ref: 'weave:///a/b/call/1' },
    ])
      expect((await create(someRef(), more)).status).toBe(200);
  });

  it('names the emoji of a reaction, with and without its skin tone', async () => {
    const reaction = { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏿' } };
    const names = { alias: ':thumbs_up_dark_skin_tone:', detoned: '👍', detoned_alias: ':thumbs_up:' };
    const ref = someRef();
    expect((await create(ref, reaction)).json()).toMatchObject({ payload: { emoji: '👍🏿', ...names } });
    expect(await about(ref)).toMatchObject([{ payload: { emoji: '👍🏿', ...names } }]);
  });

  it('says in an annotation what its spec allows', async () => {
    const publish = (object_id: string, val: object): Promise<Answer> =>
      client.post('/obj/create', { obj: { project_id: client.projectId, object_id, val } });
    await publish('quality', { field_schema: { type: 'integer', minimum: 1, maximum: 5 } });
    await publish('broken', { field_schema: 'integer' });
    const annotate = async (name: string, value: unknown, project = client.projectId): Promise<number> => {
      const annotation_ref = `weave:///${project}/object/${name}:latest`;
      const more = { feedback_type: `wandb.annotation.${name}`, annotation_ref, payload: { value } };
      return (await create(someRef(), more)).status;
    };
    expect(await annotate('quality', 5)).toBe(200);
    for (const wrong of [6, 0, 1.5, '3', null]) expect([wrong, await annotate('quality', wrong)]).toEqual([wrong, 422]);
    expect(await annotate('missing', 1)).toBe(422);
    expect(await annotate('broken', 1)).toBe(422);
    expect(await annotate('quality', 3, `${client.projectId}-2`)).toBe(422);
  });

  it('is counted, or read by places in its payload; other fields are refused', async () => {
    const ref = someRef();
    await create(ref, { payload: { output: { score: 0.5, tags: ['a', 'b'], note: 'x' } } });
    await create(ref);
    const ours = {
      ...where({ $eq: [field('weave_ref'), literal(ref)] }),
      sort_by: [{ field: 'created_at', direction: 'asc' }],
    };
    expect(await query({ ...ours, fields: ['count(*)'] })).toEqual({ result: [{ 'count(*)': 2 }], total_count: 2 });
    const fields = ['feedback_type', 'payload.output.score', 'payload.output.tags.1', 'payload.output.none'];
    expect((await query({ ...ours, fields })).result[0]).toEqual({
      feedback_type: 'rating',
      'payload.output.score': '0.5',
      'payload.output.tags.1': 'b',
      'payload.output.none': '',
    });
    for (const wrong of ['secret', 'id.x', 'toString'])
      expect((await client.post('/feedback/query', { ...ours, fields: [wrong] })).status).toBe(422);
  });

  it('is found by what a scorer said beside the payload', async () => {
    const ref = someRef();
    await create(ref, { scorer_ratings: { 'is good': 0.75 }, span_agent_name: 'planner' });
    await create(ref, { scorer_ratings: { 'is good': 0.25, 'odd\u0000': 1 }, span_agent_name: '\ud800' });
    const found = await query(
      where({
        $and: [{ $eq: [field('weave_ref'), literal(ref)] }, { $gt: [field('scorer_ratings.is good'), literal(0.5)] }],
      }),
    );
    expect(found).toMatchObject({ total_count: 1, result: [{ span_agent_name: 'planner' }] });
  });

  it('is found by type, payload and time, sorted and in pages', async () => {
    const ref = someRef();
    for (const stars of [3, 1, 2]) await create(ref, { payload: { stars, nested: { deep: `s${stars}` } } });
    await create(ref, { feedback_type: 'wandb.note.1', payload: { note: 'x' } });
    const ours = { $eq: [field('weave_ref'), literal(ref)] };
    const found = async (condition: object, more: object = {}): Promise<unknown[]> =>
      (await query({ ...where({ $and: [ours, condition] }), ...more })).result.map(({ payload }) => payload['stars']);
    const rated = { $eq: [field('feedback_type'), literal('rating')] };
    expect(await found(rated)).toEqual([3, 1, 2]);
    expect(await found({ $in: [field('payload.nested.deep'), [literal('s1'), literal('s9')]] })).toEqual([1]);
    expect(await found({ $gte: [field('created_at'), literal('2999-01-01')] })).toEqual([]);
    const sort_by = [{ field: 'payload.stars', direction: 'desc' }];
    expect(await found(rated, { sort_by, limit: 2, offset: 1 })).toEqual([2, 1]);
    const page = await query({ ...where(ours), limit: 1, fields: ['id', 'feedback_type'] });
    expect([Object.keys(page.result[0]!), page.total_count]).toEqual([['id', 'feedback_type'], 4]);
    expect((await client.post('/feedback/query', where({ $eq: [field('secret'), literal(1)] }))).status).toBe(422);
  });

  it('is purged by its id, and by nothing that means more', async () => {
    const ref = someRef();
    const { id } = (await create(ref)).json<Found>();
    await create(ref);
    expect((await client.post('/feedback/purge', {})).status).toBe(422);
    for (const more of [{ $and: [] }, { $eq: [literal(1), literal(1)] }, { $eq: [field('weave_ref'), literal(ref)] }])
      expect([more, (await client.post('/feedback/purge', where(more))).status]).toEqual([more, 422]);
    expect((await client.post('/feedback/purge', where({ $eq: [field('id'), literal(id)] }))).json()).toEqual({});
    expect((await about(ref)).map((found) => found.id)).not.toContain(id);
    expect(await about(ref)).toHaveLength(1);
  });

  it('is replaced, however often the request is repeated', async () => {
    const ref = someRef();
    const { id } = (await create(ref)).json<Found>();
    for (const _ of [1, 2]) {
      const replaced = await client.post(
        '/feedback/replace',
        feedback(ref, { feedback_id: id, payload: { stars: 1 } }),
      );
      expect(replaced.json()).toMatchObject({ id, payload: { stars: 1 } });
    }
    expect(await about(ref)).toMatchObject([{ id, payload: { stars: 1 } }]);
  });

  it('is read with the calls that it is about, oldest first', async () => {
    const [first, second, none] = [someRef(), someRef(), someRef()];
    const callIds = [first, second, none].map((ref) => ref.split('/').at(-1)!);
    await client.call(...callIds.map((id) => ({ id })));
    await create(first, { payload: { stars: 1 } });
    await create(second, { payload: { stars: 2 } });
    await create(first, { payload: { stars: 3 } });
    const weave = await client.weaveOf(callIds, { include_feedback: true });
    expect(
      weave.map(({ feedback: found }) => (found as Found[] | undefined)?.map(({ payload }) => payload['stars'])),
    ).toEqual([[1, 3], [2], undefined]);
  });

  it('shows another team nothing, and takes nothing from it', async () => {
    const ref = someRef();
    await create(ref);
    const everything = where({ $eq: [literal(1), literal(1)] });
    const [found] = await about(ref);
    for (const [path, body] of [
      ['create', feedback(ref)],
      ['query', everything],
      ['purge', where({ $eq: [field('id'), literal(found!.id)] })],
      ['replace', feedback(ref, { feedback_id: 'x' })],
    ] as const) {
      expect([path, (await stranger.post(`/feedback/${path}`, body)).status]).toEqual([path, 404]);
    }
    expect(await about(ref)).toHaveLength(1);
  });
});
