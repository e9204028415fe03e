import { Body, Delete, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { ApiLines } from '../request/api-lines.decorator.js';
import { jsonAnswer, jsonLines } from '../request/json-answer.js';
import { pageOf, requiredTexts } from '../request/page-of-query.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { requirePayloads } from '../request/wrong-kind.js';
import { EvaluationCallsService } from './evaluation-calls.service.js';
import { CreateScore, Deleted, NewScore, Score, ScoreCreated } from './evaluation-runs.schema.js';
import { ScoresService } from './scores.service.js';

const readNew = fieldReader(NewScore);

@TracingController('v2/:entity/:project/scores')
export class ScoresController {
  constructor(
    private readonly scores: ScoresService,
    private readonly calls: EvaluationCallsService,
  ) {}

  @TracePost('', {
    summary: 'Say what a scorer said of a prediction',
    body: CreateScore,
    example: {
      prediction_id: '0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11',
      scorer: 'weave:///acme/support/object/exact:v0',
      value: true,
    },
    answer: ScoreCreated,
  })
  async create(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<StreamableFile> {
    requirePayloads(body, 'value');
    return jsonAnswer(await this.scores.create(caller, `${entity}/${project}`, readNew(body), body));
  }

  @Get()
  @ApiOperation({ summary: 'Scores, one JSON object a line' })
  @ApiQuery({ name: 'evaluation_run_id', type: String, required: false })
  @ApiQuery({ name: 'limit', type: Number, required: false })
  @ApiQuery({ name: 'offset', type: Number, required: false })
  @ApiLines(Score)
  async list(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: { evaluation_run_id?: string; limit?: string; offset?: string },
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const signal = clientLeft(response);
    const found = await this.scores.list(
      caller,
      `${entity}/${project}`,
      query.evaluation_run_id,
      pageOf(query),
      signal,
    );
    return jsonLines(found);
  }

  @Get(':score_id')
  @ApiOperation({ summary: 'One score' })
  @ApiOkResponse({ schema: { ...Score } })
  async read(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('score_id') id: string,
  ): Promise<StreamableFile> {
    return jsonAnswer(await this.scores.read(caller, `${entity}/${project}`, id));
  }

  @Delete()
  @ApiOperation({ summary: 'Delete scores, and what is below them' })
  @ApiQuery({ name: 'score_ids', type: [String] })
  @ApiOkResponse({ schema: { ...Deleted } })
  async delete(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query('score_ids') ids: string | string[] | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const signal = clientLeft(response);
    const all = requiredTexts(ids, 'score_ids');
    return { num_deleted: await this.calls.delete(caller, `${entity}/${project}`, all, signal) };
  }
}
