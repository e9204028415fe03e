import type { JsonMember, JsonNode } from '@heddle/json';
import { raw } from '@heddle/json';
import { rawOf, text, weaveOf } from '../evaluation-runs/evaluation-calls.service.js';
import { parseTimestamp } from '../values/timestamp.js';

/** A model's answer to a row, and what scorers said of it. */
export interface Trial {
  /** The call that an evaluation makes for each row. */
  call: JsonNode;
  evaluationId: string;
  predict: JsonNode | undefined;
  /** By the names of scores. */
  scorers: ReadonlyMap<string, string>;
  tokens: number | null;
  cost: number | null;
}

/** @param children calls below, of models and scorers */
export function trialOf(call: JsonNode, children: readonly JsonNode[]): Trial {
  const predict = predictCall(children, text(call.get('inputs'), 'model'));
  return {
    call,
    evaluationId: text(call, 'parent_id') ?? '',
    predict,
    scorers: scorerCalls([...scoresOf(call).keys()], children),
    tokens: totalTokens((predict ?? call).get('summary')?.get('usage')),
    cost: predict ? totalCost(predict.get('summary')?.get('weave')?.get('costs')) : null,
  };
}

/** What scorers said, by their names. */
export const scoresOf = (call: JsonNode): Map<string, JsonNode> =>
  call.get('output')?.get('scores')?.entries() ?? new Map<string, JsonNode>();

/** As it leaves. */
export function trialMembers({ call, predict, scorers, tokens, cost }: Trial): JsonMember[] {
  const output = call.get('output');
  const scores = output?.get('scores');
  return [
    ['predict_and_score_call_id', text(call, 'id')],
    ['predict_call_id', text(predict, 'id')],
    ['model_output', rawOf(output?.get('output'), null)],
    ['scores', scores?.kind === 'object' ? raw(scores.raw()) : {}],
    ['model_latency_seconds', secondsOf(predict) ?? output?.get('model_latency')?.get('mean')?.number() ?? null],
    ['total_tokens', tokens],
    ['total_cost', cost],
    ['scorer_call_ids', Object.fromEntries(scorers)],
    ['genai_span_ref', spanRefs(predict, call)],
  ];
}

const isScorer = (call: JsonNode): boolean =>
  text(weaveOf(call), 'score') === 'true' || isSet(call.get('attributes')?.get('_weave_eval_meta')?.get('score'));

const isSet = (node: JsonNode | undefined): boolean =>
  node !== undefined && !['null', 'false', '0', '""', '[]', '{}'].includes(node.text());

const opName = (call: JsonNode): string => (text(call, 'op_name') ?? '').toLowerCase();

/** The model's own call: that with the model as its `self`, or one that is named as models' calls are. */
function predictCall(children: readonly JsonNode[], model: string | null): JsonNode | undefined {
  return children.find((call) => {
    if (isScorer(call)) return false;
    if (model !== null && text(call.get('inputs'), 'self') === model) return true;
    return opName(call).includes('predict') || opName(call).includes('invoke');
  });
}

/** Whose call says which score is told from their names alone. */
function scorerCalls(names: readonly string[], children: readonly JsonNode[]): Map<string, string> {
  const calls = children.filter((call) => isScorer(call) || /\.score|scorer/.test(opName(call)));
  const found = new Map<string, string>();
  for (const name of names) {
    const [lower, op] = [name.toLowerCase(), opName];
    const call = calls.find((one) => op(one).includes(lower) || lower.includes(op(one)));
    if (call) found.set(name, text(call, 'id') ?? '');
  }
  return found;
}

function totalTokens(usage: JsonNode | undefined): number | null {
  const totals = [...(usage?.entries().values() ?? [])].flatMap((model) => model.get('total_tokens')?.number() ?? []);
  return totals.length > 0 ? totals.reduce((sum, tokens) => sum + Math.trunc(tokens), 0) : null;
}

const COSTS = [
  ...['prompt_tokens_total_cost', 'completion_tokens_total_cost'],
  ...['cache_read_input_tokens_total_cost', 'cache_creation_input_tokens_total_cost'],
];

/** Null where no price is known, which is not the same as nothing. */
function totalCost(costs: JsonNode | undefined): number | null {
  const parts = [...(costs?.entries().values() ?? [])].flatMap((model) =>
    COSTS.flatMap((name) => model.get(name)?.number() ?? []),
  );
  return parts.length > 0 ? parts.reduce((sum, cost) => sum + cost, 0) : null;
}

function secondsOf(call: JsonNode | undefined): number | undefined {
  const [start, end] = ['started_at', 'ended_at'].map((name) => parseTimestamp(text(call, name) ?? ''));
  return start === undefined || end === undefined ? undefined : Number(end - start) / 1e6;
}

/** Spans that were said to belong to the trial, each once; null for none. */
function spanRefs(...calls: (JsonNode | undefined)[]): object[] | null {
  const refs = new Map<string, object>();
  for (const call of calls) {
    const stated = [call && weaveOf(call), call?.get('summary')?.get('weave')]
      .map((weave) => refsIn(weave?.get('genai_span_ref')))
      .find((found) => found.length > 0);
    for (const ref of stated ?? []) refs.set(`${ref.trace_id} ${ref.span_id}`, ref);
  }
  return refs.size > 0 ? [...refs.values()] : null;
}

const refsIn = (list: JsonNode | undefined): { trace_id: string; span_id: string }[] =>
  [...(list?.items() ?? [])].flatMap((item) => {
    const [trace_id, span_id] = [text(item, 'trace_id'), text(item, 'span_id')];
    return trace_id === null || span_id === null ? [] : [{ trace_id, span_id }];
  });
