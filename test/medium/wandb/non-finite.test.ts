import { startApi, type TestApi } from '../../support/api.js';
import { SdkClient } from './sdk-client.js';

describe('a run of the wandb SDK whose numbers are not all finite', () => {
  let api: TestApi;
  let ada: SdkClient;
  const LINES = [
    '{"loss":1.50,"of":{"norm":2},"_step":0}',
    '{"loss":NaN,"of":{"norm":Infinity},"_step":1}',
    '{"loss":"NaN","of":{"norm":-Infinity},"word":"x","_step":2}',
  ];

  beforeAll(async () => {
    api = await startApi();
    ada = new SdkClient(api, await api.given.member());
    await ada.upsert({ name: 'diverged' });
    await ada.history('diverged', 0, ...LINES);
  });
  afterAll(() => api.close());

  it('has them in its history, in words', async () => {
    const { data } = await ada.rest<{ data: { metrics: object }[] }>('runs/diverged/history');
    expect(data.map(({ metrics }) => metrics)).toEqual([
      { loss: 1.5, 'of.norm': 2 },
      { loss: 'NaN', 'of.norm': 'Infinity' },
      { loss: 'NaN', 'of.norm': '-Infinity' },
    ]);
    expect(await ada.rest('runs/diverged/summary')).toMatchObject({
      metrics: [
        { name: 'loss', count: 3, non_finite: 2, last: 'NaN', min: 1.5, max: 1.5 },
        { name: 'of.norm', count: 3, non_finite: 2, last: '-Infinity', min: 2, max: 2 },
      ],
    });
  });

  it('gives its client every line byte for byte', async () => {
    const { history, historyTail } = await ada.run<{ history: string[]; historyTail: string }>(
      'diverged',
      'history(samples: 10) historyTail',
    );
    expect(history).toEqual(LINES);
    expect(JSON.parse(historyTail)).toEqual([LINES[2]]);
  });

  it('gives its client rows of chosen keys, and counts them as numbers', async () => {
    const spec = JSON.stringify({ keys: ['_step', 'loss', 'of.norm'], samples: 10 });
    const { sampledHistory, historyKeys } = await ada.run<{
      sampledHistory: object[][];
      historyKeys: { keys: object };
    }>('diverged', `sampledHistory(specs: [${JSON.stringify(spec)}]) historyKeys`);
    expect(sampledHistory).toEqual([
      [
        { _step: 0, loss: 1.5, 'of.norm': 2 },
        { _step: 1, loss: 'NaN', 'of.norm': 'Infinity' },
        { _step: 2, loss: 'NaN', 'of.norm': '-Infinity' },
      ],
    ]);
    const counted = { typeCounts: [{ type: 'number', count: 3 }] };
    expect(historyKeys.keys).toEqual({ loss: counted, 'of.norm': counted });
  });

  it('goes back to a step, and its summary says what was there', async () => {
    await ada.upsert({ name: 'back' });
    await ada.history('back', 0, ...LINES, '{"loss":3,"_step":3}');
    const query = `mutation ($entity: String) { rewindRun(input: {runName: "back", projectName: "loom", entityName: $entity,
      metricName: "_step", metricValue: 1}) { rewoundRun { summaryMetrics } } }`;
    expect(await ada.get(query, { entity: ada.user.entity })).toEqual({
      rewindRun: { rewoundRun: { summaryMetrics: '{"loss":NaN,"of.norm":Infinity,"_step":1}' } },
    });
    expect(await ada.rest('runs/back')).toMatchObject({ summary: { loss: 'NaN', 'of.norm': 'Infinity', _step: 1 } });
  });

  it('goes on from another run of which that is so', async () => {
    const point = { branch_point: { run_id: 'diverged', step: 1 } };
    await ada.upsert({ name: 'fork', config: JSON.stringify({ _wandb: { value: point } }) });
    expect(await ada.rest('runs/fork/history?metric=loss')).toMatchObject({
      data: [{ metrics: { loss: 1.5 } }, { metrics: { loss: 'NaN' } }],
    });
    expect(await ada.run('fork', 'summaryMetrics')).toEqual({
      summaryMetrics: '{"loss":NaN,"of.norm":Infinity,"_step":1}',
    });
  });

  describe('among other runs', () => {
    const SUMMARIES = {
      a: '{"x": 2}',
      b: '{"x": NaN}',
      c: '{}',
      d: '{"x": Infinity}',
      e: '{"x": "NaN"}',
      f: '{"x": -1}',
    };

    beforeAll(async () => {
      for (const [name, summaryMetrics] of Object.entries(SUMMARIES))
        await ada.upsert({ name, summaryMetrics, groupName: 'ordered' });
    });

    async function page(order: string, filters: object = {}, after: string | null = null, first = 10) {
      const query = `query ($entity: String, $order: String, $filters: JSONString, $after: String, $first: Int) {
        project(name: "loom", entityName: $entity) { runs(order: $order, filters: $filters, after: $after, first: $first) {
          edges { node { name } cursor } } } }`;
      const variables = { entity: ada.user.entity, order, after, first };
      const { project } = await ada.get<{ project: { runs: { edges: { node: { name: string }; cursor: string }[] } } }>(
        query,
        { ...variables, filters: JSON.stringify({ group: 'ordered', ...filters }) },
      );
      return project.runs.edges;
    }

    async function names(order: string, filters: object = {}): Promise<string> {
      return (await page(order, filters)).map(({ node }) => node.name).join('');
    }

    it('stands behind those with numbers, whichever way they go', async () => {
      expect([await names('+summary_metrics.x'), await names('-summary_metrics.x')]).toEqual(['fadbec', 'dafebc']);
    });

    it('is on one page of them', async () => {
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const edges = await page('+summary_metrics.x', {}, after, 1);
        if (edges.length === 0) break;
        seen.push(edges[0]!.node.name);
        after = edges[0]!.cursor;
      }
      expect(seen.join('')).toBe('fadbec');
    });

    it('passes filters for what it is, and none for what is greater or less', async () => {
      expect(await names('+name', { 'summary_metrics.x': { $gt: 0 } })).toBe('ad');
      expect(await names('+name', { 'summary_metrics.x': { $lte: 2 } })).toBe('af');
      expect(await names('+name', { 'summary_metrics.x': 'NaN' })).toBe('be');
      expect(await names('+name', { 'summary_metrics.x': { $exists: true } })).toBe('abdef');
    });
  });
});
