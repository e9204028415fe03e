import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { as } from '../accounts/requests.js';
import { type Event, type Json, TrainingSystem } from './training-system.js';

const eventsPath = (id: string): string => `/v1/preview/training-jobs/${id}/events`;

describe('the events of a training job', () => {
  let t: TrainingSystem;
  let model: string;
  beforeAll(async () => {
    t = await TrainingSystem.start();
    await t.startWorker();
    model = await t.model();
  });
  afterAll(() => t.close());
  beforeEach(() => t.engine.reset());

  async function trained(groups: number): Promise<string> {
    const id = await t.train(model, groups);
    await t.ended(id);
    return id;
  }

  it('come in pages, oldest first, and a page past the end is empty', async () => {
    const id = await trained(25);
    const seen: Event[] = [];
    const sizes: number[] = [];
    for (let after = ''; sizes.at(-1) !== 0; after = `?after=${seen.at(-1)!.id}`) {
      const { body } = await t.ask('GET', eventsPath(id) + after);
      const data = body['data'] as Event[];
      expect(body).toEqual({
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: sizes.length === 0,
      });
      seen.push(...data);
      sizes.push(data.length);
    }
    expect(sizes).toEqual([20, 7, 0]);
    expect(seen).toEqual(await t.events(id));
    expect(new Set(seen.map((event) => event.id)).size).toBe(27);
  });

  it('are none before the job starts', async () => {
    t.engine.holdAt(0);
    const blocker = await t.train(model);
    const id = await t.train(model);
    expect((await t.ask('GET', eventsPath(id))).body).toMatchObject({ data: [], has_more: false });
    t.engine.release();
    await Promise.all([t.ended(blocker), t.ended(id)]);
  });

  it('go on after no cursor but those of the same job', async () => {
    const [one, other] = [await trained(1), await trained(1)];
    const [{ id: foreign }] = (await t.events(other)) as [Event];
    for (const after of [foreign, 'x', '00000000-0000-4000-8000-000000000000']) {
      const answer = await t.ask('GET', `${eventsPath(one)}?after=${after}`);
      expect([answer.status, answer.body['detail']]).toEqual([
        422,
        [expect.objectContaining({ loc: ['query', 'after'], type: 'cursor' })],
      ]);
    }
    for (const query of ['limit=0', 'limit=101', 'limit=a']) {
      expect((await t.ask('GET', `${eventsPath(one)}?${query}`)).status).toBe(422);
    }
  });

  describe('as a stream', () => {
    async function open(id: string, headers: Record<string, string> = {}): Promise<Response> {
      return fetch(t.url + eventsPath(id), { headers: { ...t.ada.bearer, accept: 'text/event-stream', ...headers } });
    }

    /** Server-sent events, as somebody reads them who knows only the standard. */
    async function* read(response: Response): AsyncGenerator<Event> {
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks.filter((each) => !each.startsWith(':'))) {
          const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
          const data = JSON.parse(fields.get('data')!) as Json;
          yield { id: fields.get('id')!, type: fields.get('event')!, data: data['data'] as Json };
        }
      }
    }

    it('come as they are written, until the last', async () => {
      t.engine.holdAt(1);
      const id = await t.train(model, 3);
      const response = await open(id);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const seen: Event[] = [];
      for await (const event of read(response)) {
        seen.push(event);
        if (seen.length === 2) t.engine.release();
      }
      expect(seen).toEqual(await t.events(id));
      expect(seen.at(-1)!.type).toBe('training_ended');
    });

    it('go on where their reader left off, and have nothing to add to the last', async () => {
      const id = await trained(3);
      const all = await t.events(id);
      const after = async (event: Event): Promise<Event[]> => {
        const seen: Event[] = [];
        for await (const each of read(await open(id, { 'last-event-id': event.id }))) seen.push(each);
        return seen;
      };
      expect(await after(all[1]!)).toEqual(all.slice(2));
      expect(await after(all.at(-1)!)).toEqual([]);
    });

    it('are more than a page', async () => {
      const id = await trained(120);
      let count = 0;
      for await (const _ of read(await open(id))) count++;
      expect(count).toBe(122);
    });

    it('end for a reader who leaves, and for all when the job is cancelled', async () => {
      t.engine.holdAt(1);
      const id = await t.train(model, 3);
      for await (const event of read(await open(id))) {
        expect(event.type).toBe('training_started');
        break;
      }
      const reading = read(await open(id));
      expect((await reading.next()).value).toMatchObject({ type: 'training_started' });
      await t.ask('POST', `/v1/preview/training-jobs/${id}/cancel`);
      const rest: Event[] = [];
      for await (const event of reading) rest.push(event);
      expect(rest.map(({ type }) => type)).toEqual(['gradient_step', 'training_failed']);
    });

    it('are refused like the list: as JSON, before anything is sent', async () => {
      const id = await trained(1);
      expect((await open(id, { 'last-event-id': 'x' })).status).toBe(422);
      const eve = await t.given.member();
      const response = await open(id, eve.bearer);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        expect.stringMatching(/^application\/json/),
      ]);
    });
  });

  it('are for those who may read the project', async () => {
    const id = await trained(1);
    expect((await as(t, await t.viewer())('GET', eventsPath(id))).status).toBe(200);
    expect((await as(t, null)('GET', eventsPath(id))).status).toBe(401);
  });
});
