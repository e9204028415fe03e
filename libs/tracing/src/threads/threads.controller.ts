import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { BodyLimit, clientLeft } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { QueryLimits } from '../query/query.limits.js';
import { streamLines } from '../request/streamed-lines.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { QueryThreads, THREADS_EXAMPLE } from './threads.schema.js';
import { ThreadsService } from './threads.service.js';

const readRequest = fieldReader(QueryThreads);

@TracingController()
export class ThreadsController {
  constructor(
    private readonly threads: ThreadsService,
    private readonly limits: QueryLimits,
  ) {}

  @Post('threads/stream_query')
  @HttpCode(200)
  @BodyLimit(2)
  @ApiOperation({ summary: 'Find threads (conversations), with their turns summed up: one JSON object a line' })
  @ApiBody({ schema: { ...QueryThreads }, examples: { newest: { value: THREADS_EXAMPLE } } })
  @ApiOkResponse({ content: { 'application/jsonl': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'The request is not valid.' })
  async streamQuery(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res() response: Response,
  ): Promise<void> {
    const lines = this.threads.lines(caller, readRequest(body), clientLeft(response));
    await streamLines(lines, response, this.limits.stallMs);
  }
}
