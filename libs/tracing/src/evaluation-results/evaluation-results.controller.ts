import { Body, Param, Res, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { jsonAnswer } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { QueryResults, QueryResultsBody, ResultsFound } from './evaluation-results.schema.js';
import { EvaluationResultsService } from './evaluation-results.service.js';

const readQuery = fieldReader(QueryResults);

@TracingController('v2/:entity/:project/eval_results')
export class EvaluationResultsController {
  constructor(private readonly results: EvaluationResultsService) {}

  @TracePost('query', {
    summary: 'Evaluations beside each other, row by row, and what they come to',
    body: QueryResultsBody,
    example: {
      evaluation_call_ids: ['0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11', '0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e12'],
      include_raw_data_rows: true,
      include_summary: true,
      sort_by: [{ field: 'scores.exact', direction: 'desc', mode: 'difference' }],
      limit: 50,
    },
    answer: ResultsFound,
  })
  async query(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const signal = clientLeft(response);
    return jsonAnswer(await this.results.query(caller, `${entity}/${project}`, readQuery(body), body, signal));
  }
}
