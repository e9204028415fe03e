import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { makeId } from '../store/call-ids.js';
import { placeholder, safeObjectId } from '../published/op-source.js';
import { PublishedObjectsService } from '../published/published-objects.service.js';
import { EvaluationCallsService, nameIn, now, rawOf, text, weaveIs, weaveOf } from './evaluation-calls.service.js';

const PREDICT_AND_SCORE = 'Evaluation.predict_and_score';

/** Whether a call is what an evaluation makes for each row. */
export const isPredictAndScore = (call: JsonNode): boolean => {
  const op = text(call, 'op_name') ?? '';
  return ['Evaluation.predict_and_score', 'Evaluation.predictAndScore'].includes(nameIn(op, op));
};

export interface NewPredictionFields {
  model: string;
  evaluation_run_id?: string | null;
  genai_span_ref?: object[] | null;
}

/** What a model said of one row. Within a run it lies in a call that gathers its scores. */
@Injectable()
export class PredictionsService {
  constructor(
    private readonly calls: EvaluationCallsService,
    private readonly objects: PublishedObjectsService,
  ) {}

  async create(
    caller: Principal,
    projectId: string,
    fields: NewPredictionFields,
    body: JsonNode,
  ): Promise<JsonMember[]> {
    const id = makeId();
    const { model, evaluation_run_id: runId } = fields;
    const inputs = rawOf(body.get('inputs'), {});
    const above = runId ? await this.rowOf(caller, projectId, id, { ...fields, runId }, inputs) : undefined;
    const opName = `${safeObjectId(nameIn(model, 'Model')) || 'Model'}.predict`;
    const op = await this.objects.publishOp(caller, projectId, opName, placeholder('predict'));
    const at = now();
    const weave = { prediction: 'true', model, ...(runId ? { evaluation_run_id: runId } : {}) };
    const members: JsonMember[] = [
      ['id', id],
      ['trace_id', runId ?? id],
      ['parent_id', above?.id ?? null],
      ['op_name', op],
      ['started_at', at],
      ['ended_at', at],
      ['attributes', { weave }],
      [
        'inputs',
        raw(
          jsonObject([
            ['self', model],
            ['inputs', inputs],
          ]),
        ),
      ],
      ['output', rawOf(body.get('output'), null)],
      ['summary', {}],
    ];
    const items = above ? [{ kind: 'start' as const, members: above.members }] : [];
    await this.calls.write(caller, projectId, [...items, { kind: 'complete', members }]);
    return [['prediction_id', id]];
  }

  async read(caller: Principal, projectId: string, id: string): Promise<JsonMember[]> {
    return predictionMembers(await this.calls.get(caller, projectId, id, 'Prediction'));
  }

  async list(
    caller: Principal,
    projectId: string,
    runId: string | undefined,
    page: object,
    signal: AbortSignal,
  ): Promise<JsonMember[][]> {
    const conditions = [weaveIs('prediction', 'true'), ...(runId ? [weaveIs('evaluation_run_id', runId)] : [])];
    const query = { query: { $expr: { $and: conditions } }, ...page };
    return (await this.calls.find(caller, projectId, query, signal)).map(predictionMembers);
  }

  /** Within a run: ends the call above, whose output has the prediction and all its scores. */
  async finish(caller: Principal, projectId: string, id: string, signal: AbortSignal): Promise<void> {
    await this.calls.requireWriter(caller, projectId);
    const prediction = await this.calls.get(caller, projectId, id, 'Prediction');
    const parentId = text(prediction, 'parent_id');
    const parent = parentId === null ? null : await this.calls.read(caller, projectId, parentId);
    if (!parent || !isPredictAndScore(parent)) return;
    const query = { filter: { parent_ids: [parentId] }, query: { $expr: weaveIs('score', 'true') } };
    const scores = await this.calls.find(caller, projectId, query, signal);
    const latency = prediction.get('summary')?.get('weave')?.get('latency_ms')?.number();
    const output = jsonObject([
      ['output', rawOf(prediction.get('output'), null)],
      [
        'scores',
        raw(
          jsonObject(
            scores.map((call) => [
              nameIn(text(weaveOf(call), 'scorer') ?? '', 'unknown'),
              rawOf(call.get('output'), null),
            ]),
          ),
        ),
      ],
      ['model_latency', latency === undefined ? null : { mean: latency / 1000 }],
    ]);
    const members: JsonMember[] = [
      ['id', parentId],
      ['ended_at', now()],
      ['output', raw(output)],
      ['summary', {}],
    ];
    await this.calls.write(caller, projectId, [{ kind: 'end', members }]);
  }

  private async rowOf(
    caller: Principal,
    projectId: string,
    predictionId: string,
    { model, runId, genai_span_ref: spans }: NewPredictionFields & { runId: string },
    example: unknown,
  ): Promise<{ id: string; members: JsonMember[] }> {
    const run = await this.calls.get(caller, projectId, runId, 'Evaluation run');
    const op = await this.objects.publishOp(caller, projectId, PREDICT_AND_SCORE, placeholder('predict_and_score'));
    const id = makeId();
    const weave = { predict_call_id: predictionId, ...(spans ? { genai_span_ref: spans } : {}) };
    const self = text(run.get('inputs'), 'self');
    return {
      id,
      members: [
        ['id', id],
        ['trace_id', text(run, 'trace_id') ?? runId],
        ['parent_id', runId],
        ['op_name', op],
        ['started_at', now()],
        ['attributes', { weave }],
        [
          'inputs',
          raw(
            jsonObject([
              ['self', self],
              ['model', model],
              ['example', example],
            ]),
          ),
        ],
      ],
    };
  }
}

function predictionMembers(call: JsonNode): JsonMember[] {
  const inputs = call.get('inputs');
  return [
    ['prediction_id', text(call, 'id')],
    ['model', text(weaveOf(call), 'model') ?? text(inputs, 'self') ?? ''],
    ['inputs', rawOf(inputs?.get('inputs') ?? inputs, {})],
    ['output', rawOf(call.get('output'), null)],
    ['evaluation_run_id', text(weaveOf(call), 'evaluation_run_id')],
    ['wb_user_id', text(call, 'wb_user_id')],
  ];
}
