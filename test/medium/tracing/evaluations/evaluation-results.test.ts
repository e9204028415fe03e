import { eq, type QueryClient, startQueries } from '../query/query-client.js';
import { MODEL, ResultsClient } from './results-client.js';

describe('Evaluations beside each other', () => {
  let queries: QueryClient;
  let client: ResultsClient;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    client = new ResultsClient(queries.api, queries.user, `results-${++counter}`);
  });

  const results = (body: object) => client.results(body);
  const refusal = (body: object) => client.refusal(body);
  const evaluation: ResultsClient['evaluation'] = (id, ...rows) => client.evaluation(id, ...rows);
  const order = (body: object) => client.order(body);

  describe('rows', () => {
    it('have what each evaluation said of the same question', async () => {
      await evaluation('e', { q: 1, output: 'one', scores: { exact: true } });
      await evaluation('f', { q: 1, output: 'uno', scores: { exact: false } }, { q: 1 });
      const found = await results({ evaluation_call_ids: ['f'], evaluation_run_ids: ['e', 'f'] });
      const trial = {
        ...{ predict_call_id: null, model_latency_seconds: null, total_tokens: null, total_cost: null },
        ...{ scorer_call_ids: {}, genai_span_ref: null },
      };
      expect(found).toEqual({
        rows: [
          {
            row_digest: expect.stringMatching(/^\w{43}$/),
            raw_data_row: null,
            evaluations: [
              {
                evaluation_call_id: 'f',
                trials: [
                  { ...trial, predict_and_score_call_id: 'f-0', model_output: 'uno', scores: { exact: false } },
                  { ...trial, predict_and_score_call_id: 'f-1', model_output: null, scores: {} },
                ],
              },
              {
                evaluation_call_id: 'e',
                trials: [{ ...trial, predict_and_score_call_id: 'e-0', model_output: 'one', scores: { exact: true } }],
              },
            ],
          },
        ],
        total_rows: 1,
        summary: null,
        warnings: [],
      });
    });

    it('are empty for what is no evaluation, or nobody has', async () => {
      await client.given({ id: 'e' }, { id: 'other', parent_id: 'e' });
      expect(await results({ evaluation_call_ids: ['e', 'none'], include_summary: true })).toEqual({
        ...{ rows: [], total_rows: 0, warnings: [], summary: { row_count: 0, evaluations: [] } },
      });
    });

    it('are known by the digest that the reference names, or that the official clients make of the row', async () => {
      const digest = 'fN6h1bVVtDGbVTg3HYKRcdXmQLzWGoOOH6BvYXgUDUk';
      await evaluation('e', { q: `weave:///a/b/object/rows:v0/attr/rows/id/${digest}` }, { q: 'plain' }, { q: 1.0 });
      const { rows } = await results({ evaluation_call_ids: ['e'], include_raw_data_rows: true });
      expect(rows.map((row) => [row.raw_data_row, row.row_digest])).toEqual(
        expect.arrayContaining([
          [`weave:///a/b/object/rows:v0/attr/rows/id/${digest}`, digest],
          // str_digest('plain') and str_digest('{"q": 1}').
          ['plain', 'oRbJ7UbWIHc0pDMX0wYYj1KshjTDfZBLv05B2GX5BHU'],
          [{ q: 1 }, 'ehYKVuzP24Z8Fncds8w6eJ8GoSRci719jC9uqjZFhS0'],
        ]),
      );
    });

    it('have the rows of datasets instead of references, where these name one', async () => {
      const table = await client.post('/table/create', { table: { project_id: client.projectId, rows: [{ q: 7 }] } });
      const made = (await table.json()) as { digest: string; row_digests: string[] };
      const val = { rows: `weave:///${client.projectId}/table/${made.digest}` };
      await client.post('/obj/create', { obj: { project_id: client.projectId, object_id: 'rows', val } });
      const rows = `weave:///${client.projectId}/object/rows:v0/attr/rows/id`;
      await evaluation('e', { q: `${rows}/${made.row_digests[0]}` }, { q: `${rows}/none` });
      const asked = { evaluation_call_ids: ['e'], include_raw_data_rows: true };
      const raw = async (body: object) => (await results({ ...asked, ...body })).rows.map((row) => row.raw_data_row);
      const refs = [`${rows}/${made.row_digests[0]}`, `${rows}/none`];
      expect((await raw({})).sort()).toEqual([...refs].sort());
      expect(await raw({ resolve_row_refs: true })).toEqual(expect.arrayContaining([{ q: 7 }, refs[1]]));
      const { warnings } = await results({ ...asked, resolve_row_refs: true });
      expect(warnings).toEqual(['1 rows are references that name nothing that can be read']);
      // Conditions look through references, whether the answer has them or not.
      const filters = [{ query: { $expr: eq('inputs.q', 7) } }];
      expect(await raw({ filters })).toEqual([refs[0]]);
    });

    it('are paged, and only those that all evaluations have if so asked', async () => {
      await evaluation('e', { q: 1 }, { q: 2 }, { q: 3 });
      await evaluation('f', { q: 3 }, { q: 2 });
      const sort_by = [{ field: 'inputs.q', direction: 'asc' }];
      expect(await order({ sort_by })).toBe('e-0 e-1,f-1 e-2,f-0');
      expect(await order({ sort_by, require_intersection: true })).toBe('e-1,f-1 e-2,f-0');
      expect(await order({ sort_by, limit: 1, offset: 1 })).toBe('e-1,f-1');
      const asked = { evaluation_call_ids: ['e', 'f'], sort_by };
      expect(await results({ ...asked, limit: 1 })).toMatchObject({ total_rows: 3 });
      expect(await results({ ...asked, include_rows: false })).toMatchObject({ rows: [], total_rows: 0 });
    });
  });

  describe('trials', () => {
    const ended_at = '2026-02-01T00:00:00Z';
    const calls = async (predict: object, ...more: { id: string }[]) => {
      await evaluation('e', { q: 1, scores: { exact: 1, judged: { ok: true } } });
      const below = { trace_id: 't', parent_id: 'e-0', ended_at };
      await client.given({ ...below, id: 'predict', ...predict }, ...more.map((call) => ({ ...below, ...call })));
    };
    const trial = async (body: object = {}) =>
      (await results({ evaluation_call_ids: ['e'], ...body })).rows[0]!.evaluations[0]!.trials[0];

    it('have the call of the model, with its tokens and how long it took, and those of scorers', async () => {
      const usage = { m: { total_tokens: 10 }, n: { total_tokens: 2 } };
      const started_at = '2026-01-31T23:59:58.500Z';
      await calls(
        { op_name: 'Assistant.answer', inputs: { self: MODEL }, summary: { usage }, started_at },
        { id: 'exact', op_name: 'weave:///a/b/op/exact:v0', attributes: { weave: { score: 'true' } } } as never,
        { id: 'judge', op_name: 'Judged.score' } as never,
      );
      expect(await trial()).toMatchObject({
        predict_call_id: 'predict',
        model_latency_seconds: 1.5,
        total_tokens: 12,
        total_cost: null,
        scorer_call_ids: { exact: 'exact', judged: 'judge' },
      });
      expect(await trial({ include_predict_and_score_children: false })).toMatchObject({
        ...{ predict_call_id: null, model_latency_seconds: null, total_tokens: null, scorer_call_ids: {} },
      });
    });

    it('have what the model cost where that is asked for and known', async () => {
      const price = { prompt_token_cost: 1, completion_token_cost: 2, effective_date: '2026-01-01T00:00:00Z' };
      await client.post('/cost/create', { costs: { m: price } });
      const summary = { usage: { m: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } } };
      await calls({ op_name: 'predict', summary }, { id: 'scorer', op_name: 'x.score', summary } as never);
      expect(await trial()).toMatchObject({ total_cost: null });
      expect(await trial({ include_costs: true })).toMatchObject({ total_cost: 5 });
      const { summary: sums } = await results({
        ...{ evaluation_call_ids: ['e'], include_costs: true, include_summary: true },
      });
      expect(sums?.evaluations).toMatchObject([{ predict_total_cost: 5, predict_total_tokens: 4 }]);
    });

    it('have the spans that were said to be theirs, each once', async () => {
      const ref = { trace_id: 'a', span_id: 'b' };
      await calls({ op_name: 'invoke', attributes: { weave: { genai_span_ref: [ref, ref, { span_id: 'c' }] } } });
      expect(await trial()).toMatchObject({ genai_span_ref: [ref] });
    });
  });

  it('come to sums of every number, boolean and text that scorers said', async () => {
    const judged = (ok: boolean, why?: string) => ({ judge: { ok, n: { deep: ok ? 4 : 1 }, why } });
    await evaluation('e', { q: 1, scores: judged(true, 'a') }, { q: 2, scores: judged(false) }, { q: 3 });
    await evaluation('f', { q: 1, scores: { exact: 2 } });
    const asked = { evaluation_call_ids: ['e', 'f'], include_rows: false, include_summary: true };
    const { summary } = await results(asked);
    const none = { numeric_count: 0, numeric_mean: null, pass_true_count: 0, pass_known_count: 0, pass_rate: null };
    const root = { model_ref: MODEL, trace_id: 't', started_at: expect.stringMatching(/^2026-01-31T00:00:00/) };
    const sums = { predict_total_tokens: null, predict_total_cost: null, ...root };
    expect(summary?.row_count).toBe(3);
    expect(summary?.evaluations).toHaveLength(2);
    const of = (id: string) => summary!.evaluations.find((one) => one['evaluation_call_id'] === id);
    expect(of('e')).toEqual({
      ...{ ...sums, evaluation_call_id: 'e', display_name: 'run e', evaluation_ref: 'weave:///a/b/object/e:v0' },
      trial_count: 3,
      scorer_stats: expect.arrayContaining([
        {
          ...{ ...none, scorer_key: 'judge', path: 'ok', value_type: 'binary', trial_count: 2 },
          ...{ pass_true_count: 1, pass_known_count: 2, pass_rate: 0.5, pass_signal_coverage: 1 },
        },
        {
          ...{ ...none, scorer_key: 'judge', path: 'n.deep', value_type: 'continuous', trial_count: 2 },
          ...{ numeric_count: 2, numeric_mean: 2.5, pass_signal_coverage: 0 },
        },
        {
          ...{ ...none, scorer_key: 'judge', path: 'why', value_type: 'text', trial_count: 1 },
          pass_signal_coverage: 0,
        },
      ]),
    });
    expect(of('f')).toMatchObject({ trial_count: 1, scorer_stats: [{ path: null, numeric_mean: 2 }] });
    expect((await results({ ...asked, summary_require_intersection: true })).summary?.row_count).toBe(1);
  });

  it('need an evaluation', async () => {
    expect(await refusal({ evaluation_call_ids: [] })).toBe('422 body.evaluation_call_ids');
  });
});
