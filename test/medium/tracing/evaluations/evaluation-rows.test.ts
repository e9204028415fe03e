import { eq, type QueryClient, startQueries } from '../query/query-client.js';
import { ResultsClient } from './results-client.js';

describe('Rows of evaluations', () => {
  let queries: QueryClient;
  let client: ResultsClient;
  let counter = 0;

  beforeAll(async () => {
    queries = await startQueries();
  });
  afterAll(() => queries.api.close());
  beforeEach(() => {
    client = new ResultsClient(queries.api, queries.user, `order-${++counter}`);
  });

  const results = (body: object) => client.results(body);
  const refusal = (body: object) => client.refusal(body);
  const evaluation: ResultsClient['evaluation'] = (id, ...rows) => client.evaluation(id, ...rows);
  const order = (body: object) => client.order(body);

  describe('sorted', () => {
    beforeEach(async () => {
      await evaluation(
        'e',
        { q: 1, output: { n: 10 }, scores: { s: 1, b: true } },
        { q: 2, output: { n: 9 }, scores: { s: 3, b: false } },
        { q: 3, output: { n: 'x' }, scores: {} },
      );
      await evaluation('f', { q: 1, scores: { s: 9 } }, { q: 2, scores: { s: 4 } });
    });

    it('by the mean of a score, what has none last, whichever way', async () => {
      const by = (direction: string, more: object = {}) =>
        order({ sort_by: [{ field: 'scores.s', direction, ...more }] });
      expect(await by('asc')).toBe('e-1,f-1 e-0,f-0 e-2');
      expect(await by('desc')).toBe('e-0,f-0 e-1,f-1 e-2');
      expect(await by('desc', { evaluation_call_id: 'e' })).toBe('e-1,f-1 e-0,f-0 e-2');
      expect(await by('desc', { mode: 'difference' })).toBe('e-0,f-0 e-1,f-1 e-2');
      expect(await order({ sort_by: [{ field: 'scores.b', direction: 'asc' }] })).toBe('e-1,f-1 e-0,f-0 e-2');
    });

    it('by what models said, numbers as numbers and before texts', async () => {
      const by = (direction: string) => order({ sort_by: [{ field: 'output.output.n', direction }] });
      expect(await by('asc')).toBe('e-1,f-1 e-0,f-0 e-2');
      expect(await by('desc')).toBe('e-0,f-0 e-1,f-1 e-2');
    });

    it('by known fields only', async () => {
      expect(await refusal({ sort_by: [{ field: 'secret', direction: 'asc' }] })).toBe('422 body.sort_by.0.field');
      const difference = [{ field: 'inputs.q', direction: 'asc', mode: 'difference' }];
      expect(await refusal({ sort_by: difference })).toBe('422 body.sort_by.0.mode');
    });
  });

  describe('filtered', () => {
    const sort_by = [{ field: 'inputs.q', direction: 'asc' }];
    const where = (...filters: object[]) => order({ sort_by, filters });
    const filter = (condition: object, evaluation_call_id?: string) => ({
      ...{ query: { $expr: condition }, evaluation_call_id },
    });

    beforeEach(async () => {
      await evaluation('e', { q: 1, output: 'yes', scores: { s: 0.5, ok: true } }, { q: 2, scores: { s: 2 } });
      await evaluation('f', { q: 1, scores: { s: 3 } }, { q: 2, scores: { s: 4 } });
    });

    it('by scores, answers and questions', async () => {
      expect(await where(filter(eq('scores.ok', true)))).toBe('e-0,f-0');
      expect(await where(filter(eq('output.output', 'yes')))).toBe('e-0,f-0');
      expect(await where(filter(eq('inputs.q', 2)))).toBe('e-1,f-1');
      const [first] = (await results({ evaluation_call_ids: ['e'], sort_by })).rows;
      expect(await where(filter(eq('row_digest', first!.row_digest)))).toBe('e-0,f-0');
    });

    it('of one evaluation, of any of them or of all', async () => {
      const above = { $gt: [{ $getField: 'scores.s' }, { $literal: 1 }] };
      expect(await where(filter(above, 'e'))).toBe('e-1,f-1');
      expect(await where(filter(above, 'f'))).toBe('e-0,f-0 e-1,f-1');
      const both = [filter(above, 'e'), filter(above, 'f')];
      expect(await where(...both)).toBe('e-0,f-0 e-1,f-1');
      expect(await order({ sort_by, filters: both, filter_logic_operator: 'and' })).toBe('e-1,f-1');
    });

    it('by known fields and operators only, at their place', async () => {
      const at = '422 body.filters.0.query.$expr';
      expect(await refusal({ filters: [filter(eq('secret', 1))] })).toBe(`${at}.$eq.0.$getField`);
      expect(await refusal({ filters: [filter({ $like: [] })] })).toBe(`${at}.$like`);
      expect(await refusal({ filters: [{}] })).toBe(at);
      expect(await refusal({ filters: 1 })).toBe('422 body.filters');
    });
  });
});
