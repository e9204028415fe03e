import { type ModelUsage, type UsingCall, usageWithDescendants } from './usage-tree.js';

const used = (total_tokens: number, cost: number | null = null): ModelUsage => ({
  prompt_tokens: 0,
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

const call = (id: string, parentId: string | null, tokens: Record<string, number>, rolledUp = false): UsingCall => ({
  id,
  parentId,
  rolledUp,
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
      call('root', null, { m: 6 }, true),
      call('a', 'root', { m: 2 }, true),
      call('b', 'root', { m: 4 }, true),
    ];
    expect(totals(...calls)['root']).toEqual({ m: 6 });
  });

  it('counts what a client could not sum up: a child of another process, and one of a parent that still runs', () => {
    const calls = [
      call('elsewhere', 'parent', { m: 5 }, true),
      call('parent', 'running', { m: 1 }, true),
      call('running', null, {}, true),
    ];
    expect(totals(...calls)).toMatchObject({ parent: { m: 5 }, running: { m: 5 } });
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
});
