import { EventRecorder } from '../../support/events.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type Answer, type Ask, as, pluck } from '../accounts/requests.js';

describe('the history of a run', () => {
  let api: TestApi;
  let ada: Awaited<ReturnType<TestApi['given']['member']>>;
  let ask: Ask;
  let run: string;
  let runs: string;
  let events: EventRecorder;
  let counter = 0;

  beforeAll(async () => {
    api = await startApi();
    events = new EventRecorder(api);
    ada = await api.given.member();
    ask = as(api, ada);
    await ask('POST', '/v1/projects', { name: 'loom' });
    runs = `/v1/projects/${ada.entity}/loom/runs`;
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    run = `${runs}/run-${++counter}`;
    await ask('POST', runs, { name: `run-${counter}` });
    events.take();
  });

  const log = (points: unknown): Promise<Answer> => ask('POST', `${run}/history`, { points });
  const history = async (query = ''): Promise<unknown[]> =>
    ((await ask('GET', `${run}/history?${query}`)).body['data'] as { step: number; metrics: object }[]).map(
      ({ step, metrics }) => ({ step, ...metrics }),
    );

  it('keeps what was logged, a step an item, and tells which metrics', async () => {
    const answer = await log([
      { step: 0, timestamp: '2026-01-31T12:00:00Z', metrics: { loss: 2.5, 'val/reward': -1e-300 } },
      { step: 3, metrics: { loss: 0.1 + 0.2 } },
    ]);
    expect([answer.status, answer.body]).toEqual([200, { values: 3, last_step: 3 }]);
    const { body } = await ask('GET', `${run}/history`);
    expect(body).toMatchObject({ object: 'list', has_more: false, first_id: '0', last_id: '3' });
    expect(body['data']).toEqual([
      { id: '0', step: 0, timestamp: '2026-01-31T12:00:00.000Z', metrics: { loss: 2.5, 'val/reward': -1e-300 } },
      { id: '3', step: 3, timestamp: expect.any(String), metrics: { loss: 0.1 + 0.2 } },
    ]);
    expect(events.take()).toMatchObject([
      { type: 'RUN_METRICS_LOGGED', metrics: [{ name: 'loss' }, { name: 'val/reward' }] },
    ]);
  });

  it('is the same when a batch comes twice, and takes the later value of a step', async () => {
    await log([{ step: 1, metrics: { loss: 5 } }]);
    await log([{ step: 1, metrics: { loss: 5 } }]);
    expect(await history()).toEqual([{ step: 1, loss: 5 }]);
    await log([
      { step: 1, metrics: { loss: 6 } },
      { step: 1, metrics: { loss: 7, lr: 1 } },
    ]);
    expect(await history()).toEqual([{ step: 1, loss: 7, lr: 1 }]);
  });

  it('counts steps on for points that name none, over requests at the same time too', async () => {
    await log([{ step: 9, metrics: { loss: 0 } }]);
    await Promise.all(Array.from({ length: 5 }, () => log([{ metrics: { loss: 1 } }, { metrics: { loss: 2 } }])));
    expect((await history()).map((point) => (point as { step: number }).step)).toEqual([
      9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
    expect((await ask('GET', run)).body['last_step']).toBe(19);
  });

  it('is read by metric, from a step on, in pages, both ways', async () => {
    await log(Array.from({ length: 10 }, (_, step) => ({ step, metrics: { a: step, ...(step % 2 && { b: step }) } })));
    expect(await history('metric=b&since_step=3')).toEqual([3, 5, 7, 9].map((step) => ({ step, b: step })));
    expect(await history('metric=a&metric=b&since_step=9')).toEqual([{ step: 9, a: 9, b: 9 }]);
    const first = await ask('GET', `${run}/history?limit=4`);
    expect([pluck(first, 'step'), first.body['has_more']]).toEqual([[0, 1, 2, 3], true]);
    expect(pluck(await ask('GET', `${run}/history?limit=4&after=3`), 'step')).toEqual([4, 5, 6, 7]);
    expect(pluck(await ask('GET', `${run}/history?limit=3&order=desc`), 'step')).toEqual([9, 8, 7]);
    expect(pluck(await ask('GET', `${run}/history?limit=3&order=desc&after=7`), 'step')).toEqual([6, 5, 4]);
    expect(pluck(await ask('GET', `${run}/history?after=9`), 'step')).toEqual([]);
  });

  it('takes 10,000 points in one request, samples them, and sums them up', async () => {
    const points = Array.from({ length: 10_000 }, (_, step) => ({ step, metrics: { loss: -step, reward: step % 7 } }));
    expect((await log(points)).body).toEqual({ values: 20_000, last_step: 9999 });
    const { body } = await ask('GET', `${run}/history/sampled?metric=loss&points=50`);
    const [loss] = body['metrics'] as { name: string; points: { step: number; value: number }[] }[];
    const steps = loss!.points.map(({ step }) => step);
    expect(steps).toHaveLength(50);
    expect([steps[0], steps.at(-1)]).toEqual([0, 9999]);
    const gaps = steps.slice(1).map((step, index) => step - steps[index]!);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    expect((await ask('GET', `${run}/summary`)).body).toEqual({
      metrics: [
        { name: 'loss', count: 10_000, non_finite: 0, last: -9999, last_step: 9999, min: -9999, max: 0 },
        { name: 'reward', count: 10_000, non_finite: 0, last: 9999 % 7, last_step: 9999, min: 0, max: 6 },
      ],
    });
    expect((await log([...points, { metrics: {} }])).status).toBe(422);
  });

  it('samples few points as they are', async () => {
    await log([5, 6, 9].map((step) => ({ step, metrics: { loss: step } })));
    const { body } = await ask('GET', `${run}/history/sampled?points=3`);
    expect(body['metrics']).toMatchObject([{ name: 'loss', points: [{ step: 5 }, { step: 6 }, { step: 9 }] }]);
    const fewer = await ask('GET', `${run}/history/sampled?points=2`);
    expect(fewer.body['metrics']).toMatchObject([{ name: 'loss', points: [{ step: 5 }, { step: 9 }] }]);
  });

  it('keeps names like those of object properties', async () => {
    await ask('POST', `${run}/history`, JSON.parse('{"points":[{"metrics":{"__proto__":1,"constructor":2}}]}'));
    const { body } = await ask('GET', `${run}/summary`);
    expect((body['metrics'] as { name: string }[]).map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  });

  it('keeps nothing of a batch that is wrong in one place, and names it', async () => {
    const answer = await log([{ metrics: { loss: 1 } }, { metrics: { loss: 1, bad: 'x' } }]);
    expect([answer.status, answer.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'points', '1', 'metrics', 'bad'] }],
    ]);
    expect(await history()).toEqual([]);
  });

  describe('with values that are not finite', () => {
    beforeEach(async () => {
      const answer = await send(
        '{"points":[{"step":0,"metrics":{"loss":1,"lr":0.5}},{"step":1,"metrics":{"loss":NaN,"lr":0.25,"norm":Infinity}},' +
          '{"step":2,"metrics":{"loss":3,"lr":0.125,"norm":-Infinity}},{"step":3,"metrics":{"loss":"NaN","lr":0}}]}',
      );
      expect([answer.status, await answer.json()]).toEqual([200, { values: 10, last_step: 3 }]);
    });

    /** As Python does, whose JSON has them bare. */
    const send = (body: string): Promise<Response> =>
      fetch(api.url + `${run}/history`, { method: 'POST', headers: ada.bearer, body });

    it('keeps them beside all others, and tells them in words', async () => {
      expect(await history()).toEqual([
        { step: 0, loss: 1, lr: 0.5 },
        { step: 1, loss: 'NaN', lr: 0.25, norm: 'Infinity' },
        { step: 2, loss: 3, lr: 0.125, norm: '-Infinity' },
        { step: 3, loss: 'NaN', lr: 0 },
      ]);
      const { body } = await ask('GET', `${run}/history/sampled`);
      const values = (body['metrics'] as { points: { value: unknown }[] }[]).map(({ points }) =>
        points.map(({ value }) => value),
      );
      expect(values).toEqual([
        [1, 'NaN', 3, 'NaN'],
        [0.5, 0.25, 0.125, 0],
        ['Infinity', '-Infinity'],
      ]);
    });

    it('takes again what it tells', async () => {
      const points = (await ask('GET', `${run}/history`)).body['data'] as { step: number; metrics: object }[];
      const before = await history();
      await log(points.map(({ step, metrics }) => ({ step, metrics })));
      expect(await history()).toEqual(before);
    });

    it('counts them, and leaves them out of what is least and greatest', async () => {
      expect((await ask('GET', `${run}/summary`)).body['metrics']).toEqual([
        { name: 'loss', count: 4, non_finite: 2, last: 'NaN', last_step: 3, min: 1, max: 3 },
        { name: 'lr', count: 4, non_finite: 0, last: 0, last_step: 3, min: 0, max: 0.5 },
        { name: 'norm', count: 2, non_finite: 2, last: '-Infinity', last_step: 2, min: null, max: null },
      ]);
    });

    it('replaces them as it does others', async () => {
      await log([{ step: 1, metrics: { loss: 2, norm: 'NaN' } }]);
      expect((await history('metric=loss&metric=norm&since_step=1'))[0]).toEqual({ step: 1, loss: 2, norm: 'NaN' });
    });

    it('still refuses what is neither a number nor a word for one, and keeps nothing of it', async () => {
      const answer = await send(
        '{"points":[{"step":9,"metrics":{"loss":NaN,"bad":"nan","worse":1e999}},{"step":NaN}]}',
      );
      const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
      expect([answer.status, detail.map(({ loc }) => loc.slice(2).join('.')).sort()]).toEqual([
        422,
        ['0.metrics.bad', '0.metrics.worse', '1.metrics', '1.step'],
      ]);
      expect((await ask('GET', run)).body['last_step']).toBe(3);
    });
  });

  it('keeps nothing where the event can not be kept', async () => {
    expect((await events.refusing(() => log([{ metrics: { loss: 1 } }]))).status).toBe(500);
    expect(await history()).toEqual([]);
    expect((await ask('GET', run)).body['last_step']).toBeNull();
  });

  it('tells nobody of a request without values', async () => {
    expect((await log([])).body).toEqual({ values: 0, last_step: null });
    expect((await log([{ step: 3, metrics: {} }])).body).toEqual({ values: 0, last_step: null });
    expect(events.take()).toEqual([]);
  });

  it.each(['points=1', 'points=5001', 'metric=%00', 'since_step=-1'])('refuses to sample with %s', async (query) => {
    expect((await ask('GET', `${run}/history/sampled?${query}`)).status).toBe(422);
  });

  it.each(['limit=1001', 'after=x', 'order=up'])('refuses to list with %s', async (query) => {
    expect((await ask('GET', `${run}/history?${query}`)).status).toBe(422);
  });
});
