import { startApi, type TestApi } from '../../../support/api.js';
import { TraceClient } from '../objects/trace-client.js';

interface Queue {
  id: string;
  name: string;
  [field: string]: unknown;
}

interface Item {
  id: string;
  call_id: string;
  annotation_state: string;
  [field: string]: unknown;
}

describe('annotation queues', () => {
  let api: TestApi;
  let client: TraceClient;
  let colleague: TraceClient;
  let names: { client: string; colleague: string };

  beforeAll(async () => {
    api = await startApi();
    const team = await api.given.team();
    const [one, other] = [await api.given.user({ teams: [team] }), await api.given.user({ teams: [team] })];
    client = new TraceClient(api.url, one, team.name);
    colleague = new TraceClient(api.url, other, team.name);
    names = { client: one.username, colleague: other.username };
  });
  afterAll(() => api.close());

  const ask = async <T>(path: string, body: object, { as = client, method = 'POST' } = {}): Promise<T> => {
    const answer = await as.post(`/annotation_queues${path}`, body, method);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json<T>();
  };
  const create = async (name: string, more: object = {}): Promise<string> =>
    (await ask<{ id: string }>('', { name, scorer_refs: [], ...more })).id;
  const one = (id: string, method = 'GET') =>
    client.send(`/annotation_queues/${id}?project_id=${encodeURIComponent(client.projectId)}`, { method });
  const query = async (body: object): Promise<Queue[]> =>
    (await client.post('/annotation_queues/query', body)).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Queue);
  const add = (queue: string, callIds: string[], more: object = {}) =>
    ask<{ added_count: number; duplicates: number }>(`/${queue}/items`, {
      call_ids: callIds,
      display_fields: ['inputs.prompt'],
      ...more,
    });
  const items = async (queue: string, body: object = {}): Promise<Item[]> =>
    (await ask<{ items: Item[] }>(`/${queue}/items/query`, body)).items;
  const say = async (queue: string, item: string, state: string, as = client): Promise<number> =>
    (await as.post(`/annotation_queues/${queue}/items/${item}/progress`, { annotation_state: state })).status;
  const stats = async (...ids: string[]): Promise<[number, number][]> => {
    const answer = await ask<{ stats: { total_items: number; completed_items: number }[] }>('/stats', {
      queue_ids: ids,
    });
    return answer.stats.map(({ total_items: total, completed_items: completed }) => [total, completed]);
  };

  describe('a queue', () => {
    const refs = ['weave:///a/b/object/severity:v0'];

    it('keeps what it is made of, whatever its characters', async () => {
      const id = await create('Ünï\u0000\ud800', { description: 'what failed', scorer_refs: refs });
      const { queue } = (await one(id)).json<{ queue: Queue }>();
      expect(queue).toEqual({
        id,
        project_id: client.projectId,
        name: 'Ünï\u0000\ud800',
        description: 'what failed',
        scorer_refs: refs,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        created_by: names.client,
        updated_at: queue.created_at,
        deleted_at: null,
      });
    });

    it('changes in what is given', async () => {
      const id = await create('before', { scorer_refs: refs });
      const put = async (body: object) => (await ask<{ queue: Queue }>(`/${id}`, body, { method: 'PUT' })).queue;
      const same = await put({});
      expect(same.updated_at).toBe(same.created_at);
      const changed = await put({ name: 'after', description: null });
      expect(changed).toMatchObject({ name: 'after', description: '', scorer_refs: refs });
      expect(Date.parse(String(changed.updated_at))).toBeGreaterThanOrEqual(Date.parse(String(changed.created_at)));
      expect(await put({ scorer_refs: [] })).toMatchObject({ name: 'after', scorer_refs: [] });
    });

    it('is gone when it is deleted, also for whoever adds to it', async () => {
      const id = await create('gone');
      expect((await one(id, 'DELETE')).json()).toMatchObject({ queue: { id, deleted_at: expect.any(String) } });
      expect((await one(id)).status).toBe(404);
      expect((await one(id, 'DELETE')).status).toBe(404);
      expect((await client.post(`/annotation_queues/${id}`, { name: 'back' }, 'PUT')).status).toBe(404);
      const calls = { call_ids: [], display_fields: [] };
      expect(await client.post(`/annotation_queues/${id}/items`, calls)).toMatchObject({
        status: 404,
        text: expect.stringContaining('annotation_queue_not_found'),
      });
      expect(await query({ name: 'gone' })).toEqual([]);
    });

    it('is found by a part of its name, the newest first or as it is asked for', async () => {
      const ids = [];
      for (const name of ['find b', 'find A', 'find c']) ids.push(await create(name));
      const found = async (body: object) => (await query({ name: 'FIND', ...body })).map(({ name }) => name);
      expect(await found({})).toEqual(['find c', 'find A', 'find b']);
      expect(await found({ limit: 1, offset: 1 })).toEqual(['find A']);
      const oldest = { sort_by: [{ field: 'created_at', direction: 'asc' }] };
      expect(await found(oldest)).toEqual(['find b', 'find A', 'find c']);
      expect(await found({ name: 'find%' })).toEqual([]);
    });

    it.each([
      ['no name', { scorer_refs: [] }, 'name'],
      ['an empty name', { name: '', scorer_refs: [] }, 'name'],
      ['scorers that are no list', { name: 'a', scorer_refs: 'b' }, 'scorer_refs'],
    ])('is refused with %s', async (_what, body, place) => {
      const refused = await client.post('/annotation_queues', body);
      expect(refused.status).toBe(422);
      expect(refused.json<{ detail: { loc: string[] }[] }>().detail[0]!.loc).toEqual(['body', place]);
    });

    it('has limits: 1,000 in a project', async () => {
      const full = new TraceClient(api.url, { basic: (await api.given.member()).basic }, 'none');
      expect((await full.post('/annotation_queues', { name: 'a', scorer_refs: [] })).status).toBe(404);
      await create('one');
      const { rows } = await api.database.pool.query<{ project_id: number }>(
        "SELECT project_id FROM annotation_queues WHERE name = 'one'",
      );
      const id = rows[0]!.project_id;
      await api.database.pool.query(
        `INSERT INTO annotation_queues (project_id, id, name, description, scorer_refs, created_by)
         SELECT $1, 'filler-' || n, 'filler', '', '{}', 'x' FROM generate_series(1, 1000) n`,
        [id],
      );
      const refused = await client.post('/annotation_queues', { name: 'one more', scorer_refs: [] });
      await api.database.pool.query("DELETE FROM annotation_queues WHERE id LIKE 'filler-%'");
      expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('1000 annotation queues') });
    });
  });

  describe('its items', () => {
    it('are calls, each once, in the order in which they were added', async () => {
      const queue = await create('items');
      await client.call({ id: 'i-1' }, { id: 'i-2' }, { id: 'i-3' });
      expect(await add(queue, ['i-3', 'i-1', 'i-3', 'none'])).toEqual({ added_count: 2, duplicates: 0 });
      expect(await add(queue, ['i-1', 'i-2'])).toEqual({ added_count: 1, duplicates: 1 });
      const found = await items(queue);
      expect(found.map(({ call_id }) => call_id)).toEqual(['i-3', 'i-1', 'i-2']);
      expect(found[0]).toEqual({
        id: expect.any(String),
        project_id: client.projectId,
        queue_id: queue,
        call_id: 'i-3',
        call_started_at: '2026-01-31T12:00:00.000000Z',
        call_ended_at: '2026-01-31T12:00:01.000000Z',
        call_op_name: 'op',
        call_trace_id: 'i-3',
        display_fields: ['inputs.prompt'],
        added_by: names.client,
        annotation_state: 'unstarted',
        annotator_user_id: '',
        created_at: expect.any(String),
        created_by: names.client,
        updated_at: found[0]!.created_at,
        deleted_at: null,
        position_in_queue: null,
      });
    });

    it('are added once, however many add them at once', async () => {
      const queue = await create('at once');
      await client.call({ id: 'o-1' }, { id: 'o-2' });
      const added = await Promise.all([1, 2, 3, 4].map(() => add(queue, ['o-2', 'o-1'])));
      expect(added.map(({ added_count: n }) => n).sort()).toEqual([0, 0, 0, 2]);
      expect(await stats(queue)).toEqual([[2, 0]]);
    });

    it('are found by call, op, trace, state and who added them, with their places', async () => {
      const queue = await create('filters');
      const long = 'x'.repeat(3000);
      await client.call({ id: 'f-1' }, { id: long }, { id: 'f-3' });
      await add(queue, ['f-1', long, 'f-3']);
      const [first] = await items(queue);
      expect(await say(queue, first!.id, 'completed')).toBe(200);
      const found = async (filter: object, more: object = {}) =>
        (await items(queue, { filter, ...more })).map(({ call_id }) => call_id);
      expect(await found({ call_id: long })).toEqual([long]);
      expect(await found({ id: first!.id, call_id: null })).toEqual(['f-1']);
      expect(await found({ call_op_name: 'op', call_trace_id: 'f-3' })).toEqual(['f-3']);
      expect(await found({ call_op_name: 'o' })).toEqual([]);
      expect(await found({ added_by: names.colleague })).toEqual([]);
      expect(await found({ annotation_states: ['unstarted', 'skipped'] })).toEqual([long, 'f-3']);
      expect(await found({ annotation_states: [] })).toHaveLength(3);
      const last = { limit: 1, offset: 2, include_position: true };
      expect(await items(queue, last)).toMatchObject([{ call_id: 'f-3', position_in_queue: 3 }]);
      const sort_by = [{ field: 'created_at', direction: 'desc' }];
      expect(await items(queue, { sort_by, include_position: true })).toHaveLength(3);
      expect((await client.post(`/annotation_queues/${queue}/items/query`, { limit: 10_001 })).status).toBe(422);
    });

    it('stay when their call is deleted', async () => {
      const queue = await create('deleted calls');
      await client.call({ id: 'd-1' }, { id: 'd-2' });
      await add(queue, ['d-1']);
      await client.post('/calls/delete', { call_ids: ['d-1', 'd-2'] });
      expect(await add(queue, ['d-2'])).toEqual({ added_count: 0, duplicates: 0 });
      expect(await items(queue)).toMatchObject([{ call_id: 'd-1' }]);
    });
  });

  describe('progress', () => {
    const STATES = ['in_progress', 'completed', 'skipped'];
    const allowed = [
      ['in_progress', 'in_progress'],
      ['in_progress', 'completed'],
      ['in_progress', 'skipped'],
      ['completed', 'completed'],
      ['skipped', 'skipped'],
    ];

    it('goes from nothing to anything, and from in_progress to the end', async () => {
      const queue = await create('states');
      const calls = STATES.flatMap((from) => STATES.map((to) => ({ id: `s-${from}-${to}`, from, to })));
      await client.call(...calls);
      await add(
        queue,
        calls.map(({ id }) => id),
      );
      const found = await items(queue);
      for (const [i, { from, to }] of calls.entries()) {
        expect(await say(queue, found[i]!.id, from)).toBe(200);
        const status = allowed.some(([a, b]) => a === from && b === to) ? 200 : 409;
        expect([from, to, await say(queue, found[i]!.id, to)]).toEqual([from, to, status]);
      }
    });

    it('is everybody’s own; an item shows the newest, and counts once when anybody is done', async () => {
      const queue = await create('two');
      await client.call({ id: 't-1' }, { id: 't-2' });
      await add(queue, ['t-1', 't-2']);
      const [item] = await items(queue);
      expect(await say(queue, item!.id, 'completed')).toBe(200);
      expect(await say(queue, item!.id, 'in_progress', colleague)).toBe(200);
      expect((await items(queue))[0]).toMatchObject({
        annotation_state: 'in_progress',
        annotator_user_id: names.colleague,
      });
      expect(await say(queue, item!.id, 'skipped', colleague)).toBe(200);
      expect(await stats(queue, 'none', queue)).toEqual([
        [2, 1],
        [0, 0],
        [2, 1],
      ]);
    });

    it('is refused for what is not in the queue, and in states that there are not', async () => {
      const [queue, other] = [await create('mine'), await create('not mine')];
      await client.call({ id: 'p-1' });
      await add(queue, ['p-1']);
      const [item] = await items(queue);
      expect(await say(other, item!.id, 'completed')).toBe(404);
      expect(await say(queue, 'none', 'completed')).toBe(404);
      expect(await say(queue, item!.id, 'unstarted')).toBe(422);
      await one(queue, 'DELETE');
      expect(await say(queue, item!.id, 'completed')).toBe(404);
    });
  });
});
