import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { readCallQuery } from '../calls/call-query-request.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { CallStatsAnswer, CallStatsFields, CallStatsBody, STATS_EXAMPLE } from './call-stats.schema.js';
import { CallStatsService } from './call-stats.service.js';
import { CallsUsage, DEFAULT_CALLS, TraceUsage, TraceUsageFields, UsageFound as Answer } from './usage.schema.js';
import { type UsageFound, UsageService } from './usage.service.js';

const readCallsUsage = fieldReader(CallsUsage);
const readTraceUsage = fieldReader(TraceUsageFields);
const readStats = fieldReader(CallStatsFields);

const project_id = STATS_EXAMPLE.project_id;

@TracingController()
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly stats: CallStatsService,
  ) {}

  @TracePost('calls/usage', {
    summary: 'What calls used, with all their descendants: tokens and costs by model',
    body: CallsUsage,
    example: { project_id, call_ids: ['0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11'], include_costs: true },
    answer: Answer,
  })
  async calls(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answerOf(await this.usage.ofCalls(caller, readCallsUsage(body), clientLeft(response)));
  }

  @TracePost('trace/usage', {
    summary: 'What each call of a trace used, with its descendants: tokens and costs by model',
    body: TraceUsage,
    example: { project_id, filter: { trace_ids: ['0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e10'] }, include_costs: true },
    answer: Answer,
  })
  async trace(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { include_costs: includeCosts = false, limit = DEFAULT_CALLS } = readTraceUsage(body);
    const request = { ...readCallQuery(body), limit };
    return answerOf(await this.usage.ofTrace(caller, request, includeCosts, clientLeft(response)));
  }

  @TracePost('calls/stats', {
    summary: 'Latencies, errors, tokens and costs of calls over time',
    body: CallStatsBody,
    example: STATS_EXAMPLE,
    answer: CallStatsAnswer,
  })
  async overTime(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.stats.overTime(caller, readCallQuery(body), readStats(body), clientLeft(response));
  }
}

const answerOf = ({ usage, unfinished }: UsageFound): object => ({
  call_usage: Object.fromEntries([...usage].map(([id, models]) => [id, Object.fromEntries(models)])),
  unfinished_call_ids: unfinished,
});
