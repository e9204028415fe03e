import { Body, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import type { Response } from 'express';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { exportResponse } from './export-response.js';
import { OtelTracesService } from './otel-traces.service.js';

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';

@TracingController()
export class OtelController {
  constructor(private readonly traces: OtelTracesService) {}

  /** OpenTelemetry spans (OTLP/HTTP). Each becomes a call; those that can't are counted in the answer. */
  // The second path is where recent Weave SDKs export the spans of agents.
  @Post(['otel/v1/traces', 'agents/otel/v1/traces'])
  @HttpCode(200)
  @ApiConsumes(JSON_TYPE, PROTOBUF_TYPE)
  @ApiProduces(JSON_TYPE, PROTOBUF_TYPE)
  @ApiHeader({ name: 'project_id', required: false, description: 'entity/project, for resources that name none' })
  @ApiBody({ schema: { type: 'object', properties: { resourceSpans: { type: 'array', items: { type: 'object' } } } } })
  @ApiOkResponse({ schema: { type: 'object', properties: { partialSuccess: { type: 'object' } } } })
  async export(
    @Caller() caller: Principal,
    @Body() body: Buffer,
    @Headers('content-type') contentType: string | undefined,
    @Headers('project_id') project: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const encoding = contentType?.includes('protobuf') ? 'protobuf' : 'json';
    const result = await this.traces.ingest(caller, { body, encoding, project });
    response.type(encoding === 'json' ? JSON_TYPE : PROTOBUF_TYPE).send(exportResponse(result, encoding));
  }
}
