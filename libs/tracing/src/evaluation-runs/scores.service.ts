import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { FeedbackService } from '../feedback/feedback.service.js';
import { makeId } from '../store/call-ids.js';
import { placeholder } from '../published/op-source.js';
import { PublishedObjectsService } from '../published/published-objects.service.js';
import { parseTraceRef } from '../refs/trace-ref.js';
import { EvaluationCallsService, now, rawOf, text, weaveIs, weaveOf } from './evaluation-calls.service.js';

export interface NewScoreFields {
  prediction_id: string;
  scorer: string;
  evaluation_run_id?: string | null;
}

/** What a scorer said of a prediction: a call of its own, and feedback about the prediction. */
@Injectable()
export class ScoresService {
  constructor(
    private readonly calls: EvaluationCallsService,
    private readonly objects: PublishedObjectsService,
    private readonly feedback: FeedbackService,
  ) {}

  async create(caller: Principal, projectId: string, fields: NewScoreFields, body: JsonNode): Promise<JsonMember[]> {
    const { prediction_id: predictionId, scorer, evaluation_run_id: runId } = fields;
    const target = parseTraceRef(scorer)?.target;
    if (target?.type !== 'object')
      throw ValidationError.at(['body', 'scorer'], 'must be a reference to an object', 'weave_ref');
    await this.calls.requireWriter(caller, projectId);
    const prediction = await this.calls.get(caller, projectId, predictionId, 'Prediction');
    const id = makeId();
    const value = rawOf(body.get('value'), null);
    const op = await this.objects.publishOp(caller, projectId, `${target.objectId}.score`, placeholder('score'));
    const inputs = prediction.get('inputs');
    const weave = {
      score: 'true',
      prediction_id: predictionId,
      scorer,
      ...(runId ? { evaluation_run_id: runId } : {}),
    };
    const at = now();
    const members: JsonMember[] = [
      ['id', id],
      ['trace_id', runId ?? id],
      ['parent_id', runId ? (text(prediction, 'parent_id') ?? runId) : null],
      ['op_name', op],
      ['started_at', at],
      ['ended_at', at],
      ['attributes', { weave }],
      [
        'inputs',
        raw(
          jsonObject([
            ['self', scorer],
            ['inputs', rawOf(inputs?.get('inputs') ?? inputs, {})],
            ['output', rawOf(prediction.get('output'), null)],
          ]),
        ),
      ],
      ['output', value],
      ['summary', {}],
    ];
    await this.calls.write(caller, projectId, [{ kind: 'complete', members }]);
    await this.feedback.create(
      caller,
      await indexJson(
        jsonObject([
          ['project_id', projectId],
          ['weave_ref', `weave:///${projectId}/call/${predictionId}`],
          ['feedback_type', `wandb.runnable.${target.objectId}`],
          ['payload', raw(jsonObject([['output', value]]))],
          ['runnable_ref', scorer],
          ['call_ref', `weave:///${projectId}/call/${id}`],
        ]),
      ),
    );
    return [['score_id', id]];
  }

  async read(caller: Principal, projectId: string, id: string): Promise<JsonMember[]> {
    return scoreMembers(await this.calls.get(caller, projectId, id, 'Score'));
  }

  async list(
    caller: Principal,
    projectId: string,
    runId: string | undefined,
    page: object,
    signal: AbortSignal,
  ): Promise<JsonMember[][]> {
    const conditions = [weaveIs('score', 'true'), ...(runId ? [weaveIs('evaluation_run_id', runId)] : [])];
    const query = { query: { $expr: { $and: conditions } }, ...page };
    return (await this.calls.find(caller, projectId, query, signal)).map(scoreMembers);
  }
}

const scoreMembers = (call: JsonNode): JsonMember[] => [
  ['score_id', text(call, 'id')],
  ['scorer', text(weaveOf(call), 'scorer') ?? ''],
  ['value', rawOf(call.get('output'), null)],
  ['evaluation_run_id', text(weaveOf(call), 'evaluation_run_id')],
  ['wb_user_id', text(call, 'wb_user_id')],
];
