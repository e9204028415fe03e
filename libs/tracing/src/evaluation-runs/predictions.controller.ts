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
import {
  CreatePrediction,
  Deleted,
  Finished,
  NewPrediction,
  Nothing,
  Prediction,
  PredictionCreated,
} from './evaluation-runs.schema.js';
import { PredictionsService } from './predictions.service.js';

const readNew = fieldReader(NewPrediction);

@TracingController('v2/:entity/:project/predictions')
export class PredictionsController {
  constructor(
    private readonly predictions: PredictionsService,
    private readonly calls: EvaluationCallsService,
  ) {}

  @TracePost('', {
    summary: 'Say what a model said, in a run of an evaluation or by itself',
    body: CreatePrediction,
    example: {
      model: 'weave:///acme/support/object/assistant:v0',
      inputs: { question: 'How are you?' },
      output: 'Fine',
    },
    answer: PredictionCreated,
  })
  async create(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<StreamableFile> {
    requirePayloads(body, 'inputs', 'output');
    return jsonAnswer(await this.predictions.create(caller, `${entity}/${project}`, readNew(body), body));
  }

  @Get()
  @ApiOperation({ summary: 'Predictions, one JSON object a line' })
  @ApiQuery({ name: 'evaluation_run_id', type: String, required: false })
  @ApiQuery({ name: 'limit', type: Number, required: false })
  @ApiQuery({ name: 'offset', type: Number, required: false })
  @ApiLines(Prediction)
  async list(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query() query: { evaluation_run_id?: string; limit?: string; offset?: string },
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const signal = clientLeft(response);
    const found = await this.predictions.list(
      caller,
      `${entity}/${project}`,
      query.evaluation_run_id,
      pageOf(query),
      signal,
    );
    return jsonLines(found);
  }

  @Get(':prediction_id')
  @ApiOperation({ summary: 'One prediction' })
  @ApiOkResponse({ schema: { ...Prediction } })
  async read(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('prediction_id') id: string,
  ): Promise<StreamableFile> {
    return jsonAnswer(await this.predictions.read(caller, `${entity}/${project}`, id));
  }

  @Delete()
  @ApiOperation({ summary: 'Delete predictions, and what is below them' })
  @ApiQuery({ name: 'prediction_ids', type: [String] })
  @ApiOkResponse({ schema: { ...Deleted } })
  async delete(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Query('prediction_ids') ids: string | string[] | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const signal = clientLeft(response);
    const all = requiredTexts(ids, 'prediction_ids');
    return { num_deleted: await this.calls.delete(caller, `${entity}/${project}`, all, signal) };
  }

  @TracePost(':prediction_id/finish', {
    summary: 'Say that all scores are there',
    body: Nothing,
    example: {},
    answer: Finished,
  })
  async finish(
    @Caller() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
    @Param('prediction_id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    await this.predictions.finish(caller, `${entity}/${project}`, id, clientLeft(response));
    return { success: true };
  }
}
