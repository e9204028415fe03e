import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiBody, ApiNotAcceptableResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { BodyLimit, requestIdOf, ValidationError } from '@heddle/http';
import type { Request, Response } from 'express';
import { UrlSigner } from '../transfers/url-signer.js';
import { SdkErrors } from '../sdk-errors.decorator.js';
import { GraphqlService } from './graphql.service.js';

const REQUEST = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string', example: '{ viewer { username } }' },
    operationName: { type: 'string' },
    variables: { type: 'object' },
  },
};
const RESPONSE = {
  type: 'object',
  properties: { data: { type: 'object' }, errors: { type: 'array', items: { type: 'object' } } },
};

@Controller('graphql')
@Authenticated('basic')
@ApiTags('wandb')
@SdkErrors()
export class GraphqlController {
  constructor(
    private readonly graphql: GraphqlService,
    private readonly urls: UrlSigner,
  ) {}

  /** What the `wandb` and `weave` SDKs ask: who the caller is, and all that a run says beside its history. */
  @Post()
  @HttpCode(200)
  @BodyLimit(16)
  @ApiBody({ schema: REQUEST })
  @ApiOkResponse({ schema: RESPONSE })
  @ApiBadRequestResponse({ description: 'The request is not GraphQL over HTTP.', schema: RESPONSE })
  @ApiNotAcceptableResponse({ description: 'The client takes no JSON.' })
  async execute(
    @Caller() caller: Principal,
    @Body() body: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!isRecord(body)) throw ValidationError.at(['body'], 'must be an object', 'object_type');
    const [baseUrl, requestId] = [this.urls.baseOf(request), requestIdOf(request)];
    const asked = { accept: request.get('accept'), body, baseUrl, requestId };
    const [text, { status, headers }] = await this.graphql.execute(caller, asked);
    response.status(status).set(headers).send(text);
  }
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
