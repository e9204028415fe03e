import type { ModelTokens } from '../costs/model-usage.js';
import type { UsageScope } from './usage-scope.js';

export type ModelCosts = {
  [
    Name in
      | 'prompt_tokens_total_cost'
      | 'completion_tokens_total_cost'
      | 'cache_read_input_tokens_total_cost'
      | 'cache_creation_input_tokens_total_cost'
  ]: number | null;
};

/** What was used of one model. Costs are null where nobody asked for them. */
export type ModelUsage = ModelTokens & ModelCosts;
export type UsageByModel = Map<string, ModelUsage>;

export interface UsingCall {
  id: string;
  parentId: string | null;
  /** What the call itself says. */
  usage: UsageByModel;
  scope: UsageScope;
}

/**
 * What each call used, its descendants included: theirs, and what it says itself beyond that, see {@link UsageScope}.
 * A circle of parents counts each call's own usage only.
 */
export function usageWithDescendants(calls: readonly UsingCall[]): Map<string, UsageByModel> {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const parentOf = ({ id, parentId }: UsingCall): UsingCall | undefined =>
    parentId === null || parentId === id ? undefined : byId.get(parentId);
  const open = new Map<string, number>();
  for (const call of calls) {
    const parent = parentOf(call);
    if (parent) open.set(parent.id, (open.get(parent.id) ?? 0) + 1);
  }
  const ofChildren = new Map<string, UsageByModel>();
  /** What the nearest descendants state that state any. */
  const statedBelow = new Map<string, UsageByModel>();
  const totals = new Map(calls.map(({ id, usage }) => [id, usage]));
  // From the leaves up, without recursion: traces may be thousands of calls deep.
  const ready = calls.filter(({ id }) => !open.has(id));
  for (let call = ready.pop(); call; call = ready.pop()) {
    const below = ofChildren.get(call.id);
    const total = below ? merged(below, beyond(call, below, statedBelow.get(call.id))) : call.usage;
    totals.set(call.id, total);
    const parent = parentOf(call);
    if (!parent) continue;
    ofChildren.set(parent.id, merged(total, ofChildren.get(parent.id)));
    const stated = call.usage.size > 0 ? call.usage : statedBelow.get(call.id);
    if (stated) statedBelow.set(parent.id, merged(stated, statedBelow.get(parent.id)));
    open.set(parent.id, open.get(parent.id)! - 1);
    if (open.get(parent.id) === 0) ready.push(parent);
  }
  return totals;
}

/** What a call states of its usage that its descendants don't. */
function beyond({ usage, scope }: UsingCall, below: UsageByModel, nearest: UsageByModel = below): UsageByModel {
  if (scope === 'added') return usage;
  const everything = scope === 'all' ? [...below.values()].reduce(added) : undefined;
  const rests = [...usage].flatMap(([model, stated]) => {
    const accounted = everything ?? below.get(model);
    if (!accounted) return [[model, stated] as const];
    if (scope === 'own') return isSame(stated, nearest.get(model)) ? [] : [[model, stated] as const];
    const rest = less(stated, accounted);
    return scope === 'all' && !COUNTS.some((name) => rest[name] > 0) ? [] : [[model, rest] as const];
  });
  return new Map(rests);
}

const COUNTS = [
  'prompt_tokens',
  'completion_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'total_tokens',
] as const satisfies (keyof ModelTokens)[];

/** Costs with the tokens that they are of. */
const COSTS = [
  ['prompt_tokens_total_cost', 'prompt_tokens'],
  ['completion_tokens_total_cost', 'completion_tokens'],
  ['cache_read_input_tokens_total_cost', 'cache_read_input_tokens'],
  ['cache_creation_input_tokens_total_cost', 'cache_creation_input_tokens'],
] as const satisfies [keyof ModelCosts, keyof ModelTokens][];

const isSame = (a: ModelUsage, b: ModelUsage | undefined): boolean =>
  a.prompt_tokens === b?.prompt_tokens && a.completion_tokens === b.completion_tokens;

/** At least nothing of each; costs go with their tokens. */
function less(stated: ModelUsage, accounted: ModelUsage): ModelUsage {
  const rest = { ...stated };
  for (const name of [...COUNTS, 'requests'] as const) rest[name] = Math.max(0, stated[name] - accounted[name]);
  for (const [cost, tokens] of COSTS) {
    const of = stated[cost];
    if (of !== null) rest[cost] = stated[tokens] > 0 ? (of * rest[tokens]) / stated[tokens] : 0;
  }
  return rest;
}

function merged(a: UsageByModel, b: UsageByModel | undefined): UsageByModel {
  if (!b) return a;
  const models = new Map(a);
  for (const [model, usage] of b) {
    const other = models.get(model);
    models.set(model, other ? added(other, usage) : usage);
  }
  return models;
}

function added(a: ModelUsage, b: ModelUsage): ModelUsage {
  const names = Object.keys(a) as (keyof ModelUsage)[];
  const entries = names.map((name) => [name, a[name] === null ? b[name] : a[name] + (b[name] ?? 0)]);
  return Object.fromEntries(entries) as unknown as ModelUsage;
}
