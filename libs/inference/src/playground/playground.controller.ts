import { applyDecorators, Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { clientLeft, RawBody } from '@heddle/http';
import { TraceErrors } from '@heddle/tracing';
import type { Response } from 'express';
import { sendEvents } from '../answer/send-events.js';
import { PLAYGROUND_EXAMPLE, PlaygroundAnswer, PlaygroundBody } from './playground.openapi.js';
import { PlaygroundService } from './playground.service.js';

const BODY_LIMIT_MIB = 4;
const STALL_MS = 60_000;
const LINES = 'application/x-ndjson';

const PlaygroundPost = (path: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    ApiBody({ schema: { ...PlaygroundBody }, examples: { example: { value: PLAYGROUND_EXAMPLE } } }),
    ApiResponse({ status: 429, description: 'Too many requests are in flight.' }),
    ApiResponse({ status: 501, description: 'A prompt by its reference, or a route: these are not built.' }),
    ApiResponse({ status: 503, description: 'The engine can not answer now: try again.' }),
  );

@Controller('completions')
@Authenticated('basic')
@RawBody({ mebibytes: BODY_LIMIT_MIB })
@ApiTags('tracing')
@TraceErrors()
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  /** Answers a chat with a model that Heddle serves, and keeps it as a call unless `track_llm_call` is false. */
  @PlaygroundPost('create')
  @ApiOkResponse({ schema: { ...PlaygroundAnswer } })
  create(
    @Caller() caller: Principal,
    @Body() body: Buffer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.playground.complete(caller, body, clientLeft(response));
  }

  /** The same as JSON lines: `_meta` says what it is kept as, then come the chunks of a chat completion. */
  @PlaygroundPost('create_stream')
  @ApiOkResponse({ content: { [LINES]: { schema: { type: 'object' } } } })
  async createStream(@Caller() caller: Principal, @Body() body: Buffer, @Res() response: Response): Promise<void> {
    const left = clientLeft(response);
    await sendEvents(await this.playground.stream(caller, body, left), response, left, STALL_MS, LINES);
  }
}
