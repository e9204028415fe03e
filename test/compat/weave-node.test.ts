import { startApi, type TestApi } from '../support/api.js';
import type { GivenUser } from '../support/given.js';
import { type ProgramRun, runProgram } from './run-program.js';

interface Call {
  id: string;
  trace_id: string;
  parent_id: string | null;
  op_name: string;
  display_name: string | null;
  started_at: string;
  ended_at: string;
  exception: string | null;
  inputs: Record<string, unknown>;
  output: unknown;
  attributes: Record<string, unknown>;
  summary: { usage?: object; weave: { status: string; trace_name: string; latency_ms: number; costs?: object } };
  wb_user_id: string;
}

describe('The weave client for Node.js, unmodified', () => {
  let api: TestApi;
  let user: GivenUser & { entity: string };

  beforeAll(async () => {
    api = await startApi();
    user = await api.given.member();
  });
  afterAll(() => api.close());

  const run = <Result>(program: string): Promise<ProgramRun<Result>> =>
    runProgram<Result>(program, { url: api.url, key: user.key, project: `${user.entity}/node-${program}` });

  const named = (calls: Call[], name: string): Call[] =>
    calls.filter(({ op_name }) => op_name.includes(`/op/${name}:`));

  describe('tracing ops', () => {
    let outcome: ProgramRun<{
      answered: { documents: object[]; texts: string[] };
      failure: string;
      tokens: string[];
      calls: Call[];
      roots: string[];
      renamed: Call;
    }>;
    const only = (name: string): Call => {
      const found = named(outcome.result.calls, name);
      expect(found).toHaveLength(1);
      return found[0]!;
    };

    beforeAll(async () => {
      outcome = await run('ops');
    });

    it('ends as it would without tracing, and leaves no file behind', () => {
      expect(outcome).toMatchObject({ exitCode: 0, filesLeft: [] });
      expect(outcome.output).not.toMatch(/error|warn/i);
      expect(outcome.result.failure).toBe('out of thread');
      expect(outcome.result.tokens).toEqual(['t0', 't1', 't2']);
    });

    it('builds the tree of nested ops', () => {
      const root = only('answer');
      const children = outcome.result.calls.filter(({ parent_id }) => parent_id === root.id);
      expect(children.map(({ summary }) => summary.weave.trace_name).sort()).toEqual(
        ['Complete “again”', expect.stringContaining('ünïcödé 🪡'), 'retrieve'].sort(),
      );
      expect(new Set(children.map(({ trace_id }) => trace_id))).toEqual(new Set([root.trace_id]));
      expect(root.output).toEqual(outcome.result.answered);
      expect(root.inputs).toEqual({ arg0: 'what is a heddle?' });
      expect(outcome.result.roots).toHaveLength(4);
      expect(outcome.result.roots).toContain(root.id);
    });

    it('records who, when and how long', () => {
      const root = only('answer');
      expect(root.wb_user_id).toBe(user.username);
      expect(root.summary.weave).toMatchObject({ status: 'success', latency_ms: expect.any(Number) as number });
      expect(Date.parse(root.ended_at)).toBeGreaterThanOrEqual(Date.parse(root.started_at));
      expect(root.attributes).toMatchObject({ weave: { source: 'js-sdk' } });
    });

    it('shows the failing op as failed', () => {
      const call = only('fail');
      expect([call.exception, call.summary.weave.status, call.output]).toEqual(['out of thread', 'error', null]);
    });

    it('stores what a stream added up to', () => {
      expect(only('stream').output).toEqual({ text: 't0t1t2', chunks: 3 });
    });

    it('sums token usage up the tree as the client sent it', () => {
      const [usage] = named(outcome.result.calls, 'complete').map(({ summary }) => summary.usage);
      expect(usage).toEqual({
        'compat-model': { requests: 1, prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
      });
      expect(only('answer').summary.usage).toEqual({
        'compat-model': { requests: 2, prompt_tokens: 22, completion_tokens: 14, total_tokens: 36 },
      });
    });

    it('keeps attributes and a later name', () => {
      const attributed = named(outcome.result.calls, 'retrieve').find(({ parent_id }) => parent_id === null);
      expect(attributed?.attributes).toMatchObject({ requestId: 'r-1' });
      expect(outcome.result.renamed).toMatchObject({
        display_name: 'Renamed by the client',
        summary: { weave: { trace_name: 'Renamed by the client' } },
      });
    });
  });

  it('reads calls back with what they cost', async () => {
    const { result, exitCode, filesLeft, output } = await run<{ answers: string[]; calls: Call[]; without: Call[] }>(
      'costs',
    );
    expect({ exitCode, filesLeft, output }).toMatchObject({ exitCode: 0, filesLeft: [] });
    expect(result.answers).toEqual(['Four.', 'Four.']);
    const completions = named(result.calls, 'openai.chat.completions.create');
    expect(completions).toHaveLength(2);
    const costs = {
      'stub-model': {
        requests: 1,
        prompt_tokens: 100,
        completion_tokens: 10,
        prompt_tokens_total_cost: 0.1,
        completion_tokens_total_cost: 0.02,
      },
    };
    for (const call of completions) expect(call.summary.weave.costs).toMatchObject(costs);
    const [ask] = named(result.calls, 'ask');
    expect(ask?.summary.weave.costs).toMatchObject({
      'stub-model': { requests: 2, prompt_tokens: 200, prompt_tokens_total_cost: 0.2 },
    });
    for (const call of result.without) expect(call.summary.weave).not.toHaveProperty('costs');
  });

  it('publishes a dataset, reads it back and evaluates over it', async () => {
    const { result, exitCode, filesLeft, output } = await run<{
      uri: string;
      againUri: string;
      rows: object[];
      prompt: string;
      summary: object;
      calls: Call[];
    }>('evaluation');
    expect({ exitCode, filesLeft, output }).toMatchObject({ exitCode: 0, filesLeft: [] });
    expect(result.uri).toMatch(new RegExp(`^weave:///${user.entity}/node-evaluation/object/shouting:[A-Za-z0-9]{43}$`));
    expect(result.againUri).toBe(result.uri);
    expect(result.rows).toEqual([
      { question: 'one', expected: 'ONE', weight: 1.5 },
      { question: 'two', expected: 'TWO', weight: 2 },
      { question: 'two', expected: 'TWO', weight: 2 },
      { question: 'drei', expected: 'THREE', weight: 3, tags: ['ü', null] },
    ]);
    expect(result.prompt).toBe('Hello {name}');
    expect(result.summary).toMatchObject({ exact: { correct: { true_count: 3, true_fraction: 0.75 } } });
    expect(named(result.calls, 'Evaluation.predictAndScore')).toHaveLength(4);
    const [evaluate] = named(result.calls, 'Evaluation.evaluate');
    expect(evaluate).toMatchObject({ output: result.summary, parent_id: null });
  });
});
