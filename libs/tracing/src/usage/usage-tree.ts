import type { ModelTokens } from '../costs/model-usage.js';

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
  /** Its client has summed up its children's usage into it, as the official SDKs do. */
  rolledUp: boolean;
}

/**
 * What each call used, its descendants included: its own usage and that of its children, unless what it says itself
 * already has theirs in. Then the greater of both counts: a child in another process is not in its parent's sum.
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
  const totals = new Map(calls.map(({ id, usage }) => [id, usage]));
  // From the leaves up, without recursion: traces may be thousands of calls deep.
  const ready = calls.filter(({ id }) => !open.has(id));
  for (let call = ready.pop(); call; call = ready.pop()) {
    const total = merged(call.usage, ofChildren.get(call.id), call.rolledUp ? Math.max : add);
    totals.set(call.id, total);
    const parent = parentOf(call);
    if (!parent) continue;
    ofChildren.set(parent.id, merged(total, ofChildren.get(parent.id), add));
    open.set(parent.id, open.get(parent.id)! - 1);
    if (open.get(parent.id) === 0) ready.push(parent);
  }
  return totals;
}

const add = (a: number, b: number): number => a + b;

function merged(a: UsageByModel, b: UsageByModel | undefined, combine: typeof add): UsageByModel {
  if (!b) return a;
  const models = new Map(a);
  for (const [model, usage] of b) {
    const other = models.get(model);
    models.set(model, other ? combined(other, usage, combine) : usage);
  }
  return models;
}

function combined(a: ModelUsage, b: ModelUsage, combine: typeof add): ModelUsage {
  const names = Object.keys(a) as (keyof ModelUsage)[];
  const entries = names.map((name) => [name, a[name] === null ? b[name] : combine(a[name], b[name] ?? 0)]);
  return Object.fromEntries(entries) as unknown as ModelUsage;
}
