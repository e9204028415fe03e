import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { type JsonMember, type JsonNode } from '@heddle/json';
import { makeId } from '../store/call-ids.js';
import { EvaluationCallsService, now, rawOf, text, weaveIn, weaveIs, weaveOf } from './evaluation-calls.service.js';
import { isPredictAndScore } from './predictions.service.js';

export interface RunFilter {
  evaluations?: string[];
  models?: string[];
  evaluation_run_ids?: string[];
}

/** Runs of evaluations: a call, with a call for each row below it, as the clients' own evaluations make them. */
@Injectable()
export class EvaluationRunsService {
  constructor(private readonly calls: EvaluationCallsService) {}

  async create(
    caller: Principal,
    projectId: string,
    run: { evaluation: string; model: string; source_evaluation_run_id?: string | null },
  ): Promise<JsonMember[]> {
    const id = makeId();
    const { evaluation, model, source_evaluation_run_id: source } = run;
    const weave = {
      evaluation_run: 'true',
      evaluation,
      model,
      ...(source ? { source_evaluation_run_id: source } : {}),
    };
    const members: JsonMember[] = [
      ['id', id],
      ['trace_id', id],
      ['op_name', 'Evaluation.evaluate'],
      ['started_at', now()],
      ['attributes', { weave }],
      ['inputs', { self: evaluation, model }],
    ];
    await this.calls.write(caller, projectId, [{ kind: 'start', members }]);
    return [['evaluation_run_id', id]];
  }

  async read(caller: Principal, projectId: string, id: string): Promise<JsonMember[]> {
    return runMembers(await this.calls.get(caller, projectId, id, 'Evaluation run'));
  }

  async list(
    caller: Principal,
    projectId: string,
    filter: RunFilter,
    page: object,
    signal: AbortSignal,
  ): Promise<JsonMember[][]> {
    const { evaluations, models, evaluation_run_ids: ids } = filter;
    const conditions = [
      weaveIs('evaluation_run', 'true'),
      ...(evaluations ? [weaveIn('evaluation', evaluations)] : []),
      ...(models ? [weaveIn('model', models)] : []),
    ];
    const query = { query: { $expr: { $and: conditions } }, ...(ids ? { filter: { call_ids: ids } } : {}), ...page };
    return (await this.calls.find(caller, projectId, query, signal)).map(runMembers);
  }

  /** Ends a run: its output has the mean of each score, as the clients' own evaluations have it. */
  async finish(
    caller: Principal,
    projectId: string,
    id: string,
    summary: JsonNode | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    await this.calls.requireWriter(caller, projectId);
    const run = await this.calls.get(caller, projectId, id, 'Evaluation run');
    const children = await this.calls.find(caller, projectId, { filter: { parent_ids: [id] } }, signal);
    const output = meansOf(children.filter(isPredictAndScore));
    const [at, self] = [now(), text(run.get('inputs'), 'self')];
    const summarize: JsonMember[] = [
      ['id', makeId()],
      ['trace_id', id],
      ['parent_id', id],
      ['op_name', 'Evaluation.summarize'],
      ['started_at', at],
      ['ended_at', at],
      ['attributes', {}],
      ['inputs', { self }],
      ['output', output],
      ['summary', {}],
    ];
    const end: JsonMember[] = [
      ['id', id],
      ['ended_at', at],
      ['output', output],
      ['summary', rawOf(summary, {})],
    ];
    await this.calls.write(caller, projectId, [
      { kind: 'complete', members: summarize },
      { kind: 'end', members: end },
    ]);
  }
}

function runMembers(call: JsonNode): JsonMember[] {
  const weave = weaveOf(call);
  const ref = (name: string, input: string): string => text(weave, name) ?? text(call.get('inputs'), input) ?? '';
  return [
    ['evaluation_run_id', text(call, 'id')],
    ['evaluation', ref('evaluation', 'self')],
    ['model', ref('model', 'model')],
    ['status', text(call.get('summary')?.get('weave'), 'status')],
    ['started_at', text(call, 'started_at')],
    ['finished_at', text(call, 'ended_at')],
    ['summary', rawOf(call.get('summary'), null)],
    ['source_evaluation_run_id', text(weave, 'source_evaluation_run_id')],
  ];
}

/** `{SCORER: {mean}, output: {mean}}` over what is a number. */
function meansOf(calls: JsonNode[]): Record<string, { mean: number }> {
  const values = new Map<string, number[]>();
  const add = (name: string, node: JsonNode | undefined): void => {
    const value = node?.kind === 'boolean' ? Number(node.boolean()) : node?.number();
    if (value !== undefined && Number.isFinite(value)) values.set(name, [...(values.get(name) ?? []), value]);
  };
  for (const call of calls) {
    const output = call.get('output');
    if (output?.kind !== 'object') continue;
    add('output', output.get('output'));
    for (const [name, score] of output.get('scores')?.entries() ?? []) add(name, score);
  }
  const mean = (all: number[]): number => all.reduce((sum, value) => sum + value, 0) / all.length;
  return Object.fromEntries([...values].map(([name, all]) => [name, { mean: mean(all) }]));
}
