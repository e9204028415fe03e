import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { BodyLimit } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { CallQueryLimits } from './call-query-limits.js';
import { readCallQuery } from './call-query-request.js';
import { clientLeft, streamLines } from './call-query-stream.js';
import { ApiCallCount, ApiCallQuery } from './calls-query.openapi.js';
import { CallsQueryService } from './calls-query.service.js';

/** Ten thousand ids of a filter fit in well. */
const QUERY_LIMIT_MIB = 2;

@TracingController('calls')
export class CallsQueryController {
  constructor(
    private readonly calls: CallsQueryService,
    private readonly limits: CallQueryLimits,
  ) {}

  /** Finds calls: one JSON object a line, in the order asked for. */
  @Post('stream_query')
  @HttpCode(200)
  @BodyLimit(QUERY_LIMIT_MIB)
  @ApiCallQuery()
  async streamQuery(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res() response: Response,
  ): Promise<void> {
    const left = clientLeft(response);
    const lines = this.calls.lines(caller, readCallQuery(body), left);
    await streamLines(lines, response, left, this.limits.stallMs);
  }

  /** Counts what a query finds. */
  @Post('query_stats')
  @HttpCode(200)
  @BodyLimit(QUERY_LIMIT_MIB)
  @ApiCallCount()
  async queryStats(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ count: number }> {
    return { count: await this.calls.count(caller, readCallQuery(body), clientLeft(response)) };
  }
}
