import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { BodyLimit, clientLeft } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { QueryLimits } from '../query/query.limits.js';
import { readCallQuery } from './call-query-request.js';
import { streamLines } from '../request/streamed-lines.js';
import { PostStreamQuery } from './calls-query.openapi.js';
import { CallCount, COUNT_EXAMPLE, CountCalls } from './calls-query.schema.js';
import { CallsQueryService } from './calls-query.service.js';

/** Ten thousand ids of a filter fit in well. */
const QUERY_LIMIT_MIB = 2;

@TracingController()
export class CallsQueryController {
  constructor(
    private readonly calls: CallsQueryService,
    private readonly limits: QueryLimits,
  ) {}

  @PostStreamQuery()
  @BodyLimit(QUERY_LIMIT_MIB)
  async streamQuery(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res() response: Response,
  ): Promise<void> {
    const lines = this.calls.lines(caller, readCallQuery(body), clientLeft(response));
    await streamLines(lines, response, this.limits.stallMs);
  }

  @TracePost('calls/query_stats', {
    summary: 'Count what a query finds',
    body: CountCalls,
    example: COUNT_EXAMPLE,
    answer: CallCount,
  })
  @BodyLimit(QUERY_LIMIT_MIB)
  async queryStats(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const request = readCallQuery(body);
    const { count, bytes } = await this.calls.count(caller, request, clientLeft(response));
    const hasMore = request.limit !== undefined && count >= request.limit;
    return { count, has_more: hasMore, total_storage_size_bytes: bytes };
  }
}
