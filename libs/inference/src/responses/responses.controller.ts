import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { clientLeft, RawBody, sendJson } from '@heddle/http';
import type { Response } from 'express';
import { sendAnswer } from '../answer/send-answer.js';
import { GENERATION_ERRORS, OpenAiErrors, TOKENIZATION_ERRORS } from '../dto/openai-error.dto.js';
import { RetrievalQuery } from './background/retrieval.query.js';
import { InputItemsQuery } from './input-items.query.js';
import {
  DeletedAnswer,
  InputTokensAnswer,
  ItemPageAnswer,
  RESPONSE_EXAMPLE,
  ResponseAnswer,
  ResponseBody,
  ResponseStreamEvent,
} from './response.openapi.js';
import { type DeletedResponse, type ItemPage, ResponseReader } from './response.reader.js';
import type { ResponseObject } from './response-object.js';
import { ResponseTokensService } from './response-tokens.service.js';
import { ResponsesService } from './responses.service.js';

const BODY_LIMIT_MIB = 4;
const NOT_FOUND = { 404: "There is no such response, or it is nobody's whom you share a team with." };

@Controller('v1/responses')
@Authenticated('bearer')
@ApiTags('chat')
export class ResponsesController {
  constructor(
    private readonly responses: ResponsesService,
    private readonly reader: ResponseReader,
    private readonly tokens: ResponseTokensService,
  ) {}

  /**
   * Answers text or items, as OpenAI's newer API does, and stores the answer so that a later request can go on from it.
   *
   * @remarks Fields that are not listed are ignored. A client that leaves stops its generation, and nothing is stored: unless it
   * asked for `background`. Such a response is answered at once and made afterwards; if the process ends before, it has failed.
   */
  @Post()
  @HttpCode(200)
  @RawBody({ mebibytes: BODY_LIMIT_MIB })
  @ApiBody({ schema: { ...ResponseBody }, examples: { example: { value: RESPONSE_EXAMPLE } } })
  @ApiOkResponse({
    description: 'The answer',
    content: {
      'application/json': { schema: { ...ResponseAnswer } },
      'text/event-stream': { schema: { ...ResponseStreamEvent } },
    },
  })
  @OpenAiErrors({ ...GENERATION_ERRORS, 413: `The body has more than ${BODY_LIMIT_MIB} MiB.` })
  async create(@Caller() caller: Principal, @Body() body: Buffer, @Res() response: Response): Promise<void> {
    await sendAnswer(response, (left) => this.responses.start(caller, body, left));
  }

  /** Counts the tokens that a response would be given, without making it: instructions, history, tools and template are among them. */
  @Post('input_tokens')
  @HttpCode(200)
  @RawBody({ mebibytes: BODY_LIMIT_MIB })
  @ApiBody({ schema: { ...ResponseBody }, examples: { example: { value: RESPONSE_EXAMPLE } } })
  @ApiOkResponse({ description: 'Their number', schema: { ...InputTokensAnswer } })
  @OpenAiErrors({ ...TOKENIZATION_ERRORS, 413: `The body has more than ${BODY_LIMIT_MIB} MiB.` })
  async inputTokens(@Caller() caller: Principal, @Body() body: Buffer, @Res() response: Response): Promise<void> {
    sendJson(response, await this.tokens.count(caller, body, clientLeft(response)));
  }

  /**
   * Shows a response that was stored, as it is now.
   *
   * @remarks With `stream`, a response that was asked for with `background` and `stream` tells its events, also those that a reader
   * missed who was cut off.
   */
  @Get(':response')
  @ApiOkResponse({
    description: 'The response',
    content: {
      'application/json': { schema: { ...ResponseAnswer } },
      'text/event-stream': { schema: { ...ResponseStreamEvent } },
    },
  })
  @OpenAiErrors({ ...NOT_FOUND, 400: 'The response has no events to stream.' })
  async get(
    @Caller() caller: Principal,
    @Param('response') id: string,
    @Query() query: RetrievalQuery,
    @Res() response: Response,
  ): Promise<void> {
    await sendAnswer(response, (left) => this.reader.retrieve(caller, id, query, left));
  }

  /** Deletes a response. No request can go on from it, nor from those that went on from it. */
  @Delete(':response')
  @ApiOkResponse({ description: 'It is gone', schema: { ...DeletedAnswer } })
  @OpenAiErrors({ ...NOT_FOUND, 403: 'You are a viewer of its team, and it is not your own.' })
  delete(@Caller() caller: Principal, @Param('response') id: string): Promise<DeletedResponse> {
    return this.reader.delete(caller, id);
  }

  /** Lists the items that a response answered: those of its own request, not of the responses before it. */
  @Get(':response/input_items')
  @ApiOkResponse({ description: 'The items', schema: { ...ItemPageAnswer } })
  @OpenAiErrors({ ...NOT_FOUND, 400: 'There is no such item to go on after.' })
  inputItems(
    @Caller() caller: Principal,
    @Param('response') id: string,
    @Query() query: InputItemsQuery,
  ): Promise<ItemPage> {
    return this.reader.inputItems(caller, id, query);
  }

  /** Ends a response in the background; one that has ended stays as it is. To end another one that is streamed, leave the stream. */
  @Post(':response/cancel')
  @HttpCode(200)
  @ApiOkResponse({ description: 'The response', schema: { ...ResponseAnswer } })
  @OpenAiErrors({
    ...NOT_FOUND,
    400: 'The response was not asked for in the background.',
    403: 'You are a viewer of its team, and it is not your own.',
  })
  cancel(@Caller() caller: Principal, @Param('response') id: string): Promise<ResponseObject> {
    return this.reader.cancel(caller, id);
  }
}
