import { eq, field, literal, type QueryClient, startQueries } from './query-client.js';

describe('What is read with the calls of a query', () => {
  let calls: QueryClient;
  const model = 'our-model';

  beforeAll(async () => {
    calls = await startQueries();
    const summary = { usage: { [model]: { requests: 1, prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } } };
    await calls.given({ id: 'model', ended_at: 2e9, summary }, { id: 'plain', ended_at: 2e9 });
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2, effective_date: '2020-01-01T00:00:00Z' };
    await calls.post('/cost/create', { costs: { [model]: price } });
    await score('model', 0.25, '2026-01-01');
    await score('model', 0.75, '2026-01-02');
  });
  afterAll(() => calls.api.close());

  const runnable_ref = 'weave:///team/project/object/Judge:v1';
  const score = async (id: string, output: number, version: string): Promise<void> => {
    const weave_ref = `weave:///${calls.projectId}/call/${id}`;
    const payload = { output: { score: output, version } };
    const feedback = { weave_ref, feedback_type: 'wandb.runnable.Judge', payload, runnable_ref };
    const response = await calls.post('/feedback/create', feedback);
    if (response.status !== 200) throw new Error(await response.text());
  };

  it('is nothing, unless asked for', async () => {
    for (const { summary } of await calls.find()) {
      expect(Object.keys(summary.weave).sort()).toEqual(['latency_ms', 'status', 'trace_name']);
    }
  });

  it('is the costs of each call that used a priced model', async () => {
    const [priced, plain] = await calls.find({ include_costs: true });
    expect(priced!.summary.weave['costs']).toMatchObject({
      [model]: { prompt_tokens_total_cost: 5, completion_tokens_total_cost: 4 },
    });
    expect(plain!.summary.weave).not.toHaveProperty('costs');
  });

  it('can be asked for by what calls cost, of a model or of all', async () => {
    const costs = `summary.weave.costs.${model}`;
    expect(await calls.where(eq(`${costs}.prompt_tokens_total_cost`, 5))).toBe('model');
    expect(await calls.where(eq('summary.weave.costs.*.completion_tokens_total_cost', 4))).toBe('model');
    expect(await calls.where({ $gt: [field(`${costs}.prompt_tokens_total_cost`), literal(5)] })).toBe('');
    expect(await calls.where(eq('summary.weave.costs.other.prompt_tokens', 10))).toBe('');
    const sort_by = [{ field: `${costs}.prompt_tokens_total_cost`, direction: 'desc' }];
    expect(await calls.ids({ sort_by })).toBe('model plain');
    for (const wrong of ['summary.weave.costs.prompt_tokens', `${costs}.secret`])
      expect((await calls.post('/calls/query_stats', { query: { $expr: eq(wrong, 1) } })).status).toBe(422);
  });

  it('is the feedback about each call, also where only other columns are asked for', async () => {
    const [scored, plain] = await calls.find({ include_feedback: true, columns: ['output'] });
    expect(scored!.summary.weave['feedback']).toMatchObject([
      { payload: { output: { score: 0.25 } } },
      { payload: { output: { score: 0.75 } } },
    ]);
    expect(plain!.summary.weave).not.toHaveProperty('feedback');
  });

  const output = 'feedback.[wandb.runnable.Judge].payload.output';

  it('can be asked for: any score of a scorer, as get_calls(scored_by=...) does, and the newest in a sort', async () => {
    expect(await calls.where({ $not: [eq(output, '')] })).toBe('model');
    expect(await calls.where(eq('feedback.[wandb.runnable.Judge].runnable_ref', runnable_ref))).toBe('model');
    expect(await calls.where(eq('feedback.[wandb.runnable.Judge].runnable_ref', 'other'))).toBe('');
    expect(await calls.where({ $gt: [field(`${output}.score`), literal(0.5)] })).toBe('model');
    expect(await calls.where({ $lt: [field(`${output}.score`), literal(0.5)] })).toBe('model');
    expect(await calls.where({ $lt: [field(`${output}.score`), literal(0.25)] })).toBe('');
    // Unknown of calls without a score, and so is its opposite.
    expect(await calls.where({ $not: [{ $lt: [field(`${output}.score`), literal(0.25)] }] })).toBe('model');
    const converted = { $convert: { input: field(`${output}.score`), to: 'int' } };
    expect(await calls.where({ $gte: [converted, literal(0)] })).toBe('model');
    expect(await calls.ids({ sort_by: [{ field: `${output}.score`, direction: 'desc' }] })).toBe('model plain');
  });

  it('can be asked for by what anybody said, whatever its type', async () => {
    expect(await calls.where(eq('feedback.[*].runnable_ref', runnable_ref))).toBe('model');
    expect(
      await calls.where({ $in: [field('feedback.[*].runnable_ref'), [literal('x'), literal(runnable_ref)]] }),
    ).toBe('model');
    const version = field('feedback.[*].payload.output.version');
    expect(await calls.where({ $contains: { input: version, substr: literal('01-01') } })).toBe('model');
    expect(await calls.where({ $not: [{ $contains: { input: version, substr: literal('01-01') } }] })).toBe('plain');
    expect(await calls.where({ $eq: [field('feedback.[*].trigger_ref'), literal(null)] })).toBe('model plain');
    expect(await calls.where({ $eq: [field('feedback.[*].payload'), literal(null)] })).toBe('plain');
  });

  it('can be asked for by no name that is not there', async () => {
    for (const name of ['feedback', 'feedback.x', 'feedback.[a].id', 'feedback.[a].creator.x', 'feedback.[].payload']) {
      const response = await calls.post('/calls/query_stats', { query: { $expr: eq(name, 1) } });
      expect(response.status).toBe(422);
    }
  });
});
