import { Body, Res, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode, jsonObject, raw } from '@heddle/json';
import type { Response } from 'express';
import { jsonAnswer } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { AskStatus, Status } from './evaluation-runs.schema.js';
import { EvaluationStatusService } from './evaluation-status.service.js';

const readStatus = fieldReader(AskStatus);

@TracingController('evaluations')
export class EvaluationsController {
  constructor(private readonly statuses: EvaluationStatusService) {}

  @TracePost('status', {
    summary: 'How far an evaluation is',
    body: AskStatus,
    example: { project_id: 'acme/support', call_id: '0190b7f1-5c5e-7000-8000-000000000000' },
    answer: Status,
  })
  async status(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { project_id: projectId, call_id: callId } = readStatus(body);
    const status = await this.statuses.of(caller, projectId, callId, clientLeft(response));
    return jsonAnswer([['status', raw(jsonObject(status))]]);
  }
}
