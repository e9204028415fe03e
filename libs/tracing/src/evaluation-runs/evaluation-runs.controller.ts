import { Body, Delete, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { ApiLines } from '../request/api-lines.decorator.js';
import { jsonAnswer, jsonLines } from '../request/json-answer.js';
import { pageOf, requiredTexts, textsOf } from '../request/page-of-query.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { EvaluationCallsService } from './evaluation-calls.service.js';
import { Deleted, FinishRun, Finished, NewRun, Run, RunCreated } from './evaluation-runs.schema.js';
import { EvaluationRunsService, type RunFilter } from './evaluation-runs.service.js';

const readNew = fieldReader(NewRun);
const readFinish = fieldReader(FinishRun);

@TracingController('v2/:entity/:project/evaluation_runs')
export class EvaluationRunsController {
  constructor(
    private readonly runs: EvaluationRunsService,
    private readonly calls: EvaluationCallsService,
  ) {}

  @TracePost('', {
    summary: 'Start a run of an evaluation',
    body: NewRun,
    example: {
      evaluation: 'weave:///acme/support/object/quality:v0',
      model: 'weave:///acme/support/object/assistant:v0',
    },
    answer: RunCreated,
  })
  async create(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<StreamableFile> {
    return jsonAnswer(await this.runs.create(caller, `${entity}/${project}`, readNew(body)));
  }

  @Get()
  @ApiOperation({ summary: 'Evaluation runs, one JSON object a line' })
  @ApiQuery({ name: 'evaluations', type: [String], required: false })
  @ApiQuery({ name: 'models', type: [String], required: false })
  @ApiQuery({ name: 'evaluation_run_ids', type: [String], required: false })
  @ApiQuery({ name: 'limit', type: Number, required: false })
  @ApiQuery({ name: 'offset', type: Number, required: false })
  @ApiLines(Run)
  async list(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: RunsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const signal = clientLeft(response);
    const found = await this.runs.list(caller, `${entity}/${project}`, filterOf(query), pageOf(query), signal);
    return jsonLines(found);
  }

  @Get(':evaluation_run_id')
  @ApiOperation({ summary: 'One evaluation run' })
  @ApiOkResponse({ schema: { ...Run } })
  async read(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('evaluation_run_id') id: string,
  ): Promise<StreamableFile> {
    return jsonAnswer(await this.runs.read(caller, `${entity}/${project}`, id));
  }

  @Delete()
  @ApiOperation({ summary: 'Delete evaluation runs, and what is below them' })
  @ApiQuery({ name: 'evaluation_run_ids', type: [String] })
  @ApiOkResponse({ schema: { ...Deleted } })
  async delete(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query('evaluation_run_ids') ids: string | string[] | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const signal = clientLeft(response);
    const all = requiredTexts(ids, 'evaluation_run_ids');
    return { num_deleted: await this.calls.delete(caller, `${entity}/${project}`, all, signal) };
  }

  @TracePost(':evaluation_run_id/finish', { summary: 'End a run', body: FinishRun, example: {}, answer: Finished })
  async finish(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('evaluation_run_id') id: string,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    readFinish(body);
    await this.runs.finish(caller, `${entity}/${project}`, id, body.get('summary'), clientLeft(response));
    return { success: true };
  }
}

type RunsQuery = { limit?: string; offset?: string } & Partial<Record<keyof RunFilter, string | string[]>>;

const filterOf = (query: RunsQuery): RunFilter => ({
  evaluations: textsOf(query.evaluations),
  models: textsOf(query.models),
  evaluation_run_ids: textsOf(query.evaluation_run_ids),
});
