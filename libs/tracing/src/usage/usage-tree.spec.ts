import type { UsageScope } from './usage-scope.js';
import { type ModelUsage, type UsingCall, usageWithDescendants } from './usage-tree.js';

const used = (total_tokens: number, cost: number | null = null): ModelUsage => ({
  prompt_tokens: total_tokens,
  completion_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  requests: 1,
  total_tokens,
  prompt_tokens_total_cost: cost,
  completion_tokens_total_cost: cost,
  cache_read_input_tokens_total_cost: cost,
  cache_creation_input_tokens_total_cost: cost,
});

const call = (
  id: string,
  parentId: string | null,
  tokens: Record<string, number>,
  scope: UsageScope = 'added',
): UsingCall => ({
  id,
  parentId,
  scope,
  usage: new Map(Object.entries(tokens).map(([model, count]) => [model, used(count)])),
});

/** `id: model total, ...` */
const totals = (...calls: UsingCall[]): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...usageWithDescendants(calls)].map(([id, models]) => [
      id,
      Object.fromEntries([...models].map(([model, usage]) => [model, usage.total_tokens])),
    ]),
  );

describe('usageWithDescendants', () => {
  it("adds descendants' usage to a call's own, by model", () => {
    const calls = [
      call('root', null, { m: 1 }),
      call('a', 'root', { m: 2 }),
      call('b', 'root', {}),
      call('leaf', 'b', { m: 4, other: 8 }),
    ];
    expect(totals(...calls)).toEqual({
      root: { m: 7, other: 8 },
      a: { m: 2 },
      b: { m: 4, other: 8 },
      leaf: { m: 4, other: 8 },
    });
  });

  it('does not count twice what a client summed up already', () => {
    const calls = [
      call('root', null, { m: 6 }, 'models'),
      call('a', 'root', { m: 2 }, 'models'),
      call('b', 'root', { m: 4 }, 'models'),
    ];
    expect(totals(...calls)['root']).toEqual({ m: 6 });
  });

  it('counts what a client could not sum up: a child of another process, and one of a parent that still runs', () => {
    const calls = [
      call('elsewhere', 'parent', { m: 5 }, 'models'),
      call('parent', 'running', { m: 1 }, 'models'),
      call('running', null, {}, 'models'),
    ];
    expect(totals(...calls)).toMatchObject({ parent: { m: 5 }, running: { m: 5 } });
  });

  it('does not add the sum of an agent to its model calls, whatever model it names, also with a step between', () => {
    const calls = [
      call('agent', null, { 'gpt-4o': 350 }, 'all'),
      call('step', 'agent', {}, 'models'),
      call('first', 'step', { 'gpt-4o-2024-08-06': 200 }, 'own'),
      call('second', 'agent', { 'gpt-4o-mini': 150 }, 'own'),
    ];
    expect(totals(...calls)['agent']).toEqual({ 'gpt-4o-2024-08-06': 200, 'gpt-4o-mini': 150 });
  });

  it('keeps of a sum what no descendant states: of model calls that were not sent', () => {
    const calls = [call('agent', null, { m: 500 }, 'all'), call('chat', 'agent', { m: 200 }, 'own')];
    expect(totals(...calls)['agent']).toEqual({ m: 500 });
    const other = [call('agent', null, { m: 500 }, 'all'), call('chat', 'agent', { 'm-2': 200 }, 'own')];
    expect(totals(...other)['agent']).toEqual({ m: 300, 'm-2': 200 });
  });

  it('counts sums of sums once', () => {
    const calls = [
      call('workflow', null, { m: 500 }, 'all'),
      call('agent', 'workflow', { m: 500 }, 'all'),
      call('chat', 'agent', { m: 500 }, 'own'),
    ];
    expect(totals(...calls)).toEqual({ workflow: { m: 500 }, agent: { m: 500 }, chat: { m: 500 } });
  });

  it("adds to a model call's own what a model call below it used, but for one that states the same", () => {
    const chat = call('chat', null, { m: 100 }, 'own');
    expect(totals(chat, call('sampled', 'chat', { m: 30 }, 'own'))['chat']).toEqual({ m: 130 });
    expect(totals(chat, call('twin', 'chat', { m: 100 }, 'own'))['chat']).toEqual({ m: 100 });
  });

  it('takes calls whose parent is not there as roots, and ends with circles', () => {
    const calls = [
      call('orphan', 'gone', { m: 1 }),
      call('self', 'self', { m: 2 }),
      call('a', 'b', { m: 4 }),
      call('b', 'a', { m: 8 }),
    ];
    expect(totals(...calls)).toEqual({ orphan: { m: 1 }, self: { m: 2 }, a: { m: 4 }, b: { m: 8 } });
  });

  it('goes as deep as traces do', () => {
    const calls = Array.from({ length: 20_000 }, (_, i) => call(`${i}`, i === 0 ? null : `${i - 1}`, { m: 1 }));
    expect(totals(...calls)['0']).toEqual({ m: 20_000 });
  });

  it('adds up costs where they are known', () => {
    const priced = (id: string, parentId: string | null, cost: number): UsingCall => ({
      ...call(id, parentId, {}),
      usage: new Map([['m', used(1, cost)]]),
    });
    const root = usageWithDescendants([priced('root', null, 0.5), priced('child', 'root', 0.25)]).get('root');
    expect(root?.get('m')).toEqual({ ...used(2, 0.75), requests: 2 });
  });

  it('takes the costs of what is counted, and none for a model whose price is unknown', () => {
    const priced = (id: string, parentId: string | null, total: number, cost: number | null): UsingCall => ({
      ...call(id, parentId, {}, 'all'),
      usage: new Map([['m', used(total, cost)]]),
    });
    const of = (...calls: UsingCall[]) => usageWithDescendants(calls).get('agent')?.get('m')?.prompt_tokens_total_cost;
    expect(of(priced('agent', null, 10, 5), priced('chat', 'agent', 8, 4))).toBe(5);
    expect(of(priced('agent', null, 10, null), priced('chat', 'agent', 8, null))).toBeNull();
  });
});
