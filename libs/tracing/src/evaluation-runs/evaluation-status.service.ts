import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonMember, type JsonNode, jsonObject, raw } from '@heddle/json';
import { EntityNotFoundError } from '@heddle/projects';
import { readCallQuery } from '../calls/call-query-request.js';
import { CallsQueryService } from '../calls/calls-query.service.js';
import { RefsService } from '../refs/refs.service.js';
import { parseTraceRef } from '../refs/trace-ref.js';
import { TablesService } from '../tables/tables.service.js';
import { EvaluationCallsService, rawOf, text } from './evaluation-calls.service.js';

const ENDED = { $expr: { $not: [{ $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'running' }] }] } };

/** How far an evaluation is. */
@Injectable()
export class EvaluationStatusService {
  constructor(
    private readonly calls: EvaluationCallsService,
    private readonly queries: CallsQueryService,
    private readonly refs: RefsService,
    private readonly tables: TablesService,
  ) {}

  /** @returns the members of `status` */
  async of(caller: Principal, projectId: string, callId: string, signal: AbortSignal): Promise<JsonMember[]> {
    const call = await this.calls.read(caller, projectId, callId);
    if (!call) return [['code', 'not_found']];
    if (!text(call, 'op_name')?.includes('Evaluation.evaluate'))
      throw ValidationError.at(['body', 'call_id'], 'The call is no evaluation', 'not_an_evaluation');
    const error = text(call, 'exception');
    if (error !== null) {
      return [
        ['code', 'failed'],
        ['error', error],
      ];
    }
    if (text(call, 'ended_at') !== null) {
      const output = call.get('output');
      return [
        ['code', 'complete'],
        ['output', output?.kind === 'object' ? rawOf(output, {}) : raw(jsonObject([['output', rawOf(output, null)]]))],
      ];
    }
    const completed = await this.completed(caller, projectId, callId, signal);
    const total = await this.rows(caller, call);
    return [
      ['code', 'running'],
      ['completed_rows', completed],
      ['total_rows', Math.max(completed, total ?? 0)],
    ];
  }

  private async completed(caller: Principal, projectId: string, callId: string, signal: AbortSignal): Promise<number> {
    const query = { project_id: projectId, filter: { parent_ids: [callId] }, query: ENDED };
    const body = await indexJson(Buffer.from(JSON.stringify(query)));
    return (await this.queries.count(caller, readCallQuery(body), signal)).count;
  }

  /** Rows of the evaluation's dataset; undefined where that isn't to be found, or not to be seen. */
  private async rows(caller: Principal, call: JsonNode): Promise<number | undefined> {
    const evaluation = await this.follow(caller, text(call.get('inputs'), 'self'));
    const dataset = await this.follow(caller, text(evaluation, 'dataset'));
    const table = parseTraceRef(text(dataset, 'rows') ?? '');
    if (table?.target.type !== 'table') return undefined;
    const { entity, project } = table.project;
    const request = { project_id: `${entity}/${project}`, digests: [table.target.digest] };
    const sizes = await this.tables.sizes(caller, request).catch((error: unknown) => {
      if (error instanceof EntityNotFoundError) return [];
      throw error;
    });
    return sizes[0]?.count;
  }

  private async follow(caller: Principal, ref: string | null): Promise<JsonNode | undefined> {
    const [found] = ref === null ? [] : await this.refs.read(caller, [ref]);
    return found ? indexJson(found) : undefined;
  }
}
