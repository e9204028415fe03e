import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import type { Response } from 'express';
import { sendAnswer } from './answer/send-answer.js';
import { ChatCompletionsService } from './chat-completions.service.js';
import {
  CHAT_EXAMPLE,
  ChatCompletionAnswer,
  ChatCompletionBody,
  ChatCompletionEvent,
} from './dto/chat-completion.openapi.js';
import { GENERATION_ERRORS, OpenAiErrors } from './dto/openai-error.dto.js';

const BODY_LIMIT_MIB = 4;

@Controller('v1/chat/completions')
@Authenticated('bearer')
@ApiTags('chat')
export class ChatCompletionsController {
  constructor(private readonly chats: ChatCompletionsService) {}

  /**
   * Answers a chat, as OpenAI's API does, also with a slash at the end of the path.
   *
   * @remarks Fields that are not listed are ignored, unless they would change the answer: those are refused by name. Logprobs come
   * unasked. A client that leaves stops its generation. An answer to a schema that can't be kept while sampling is sampled up to
   * 16 times, until it is valid, and comes whole also in a stream; if none is, the error is `json_validate_failed`.
   */
  @Post()
  @HttpCode(200)
  @RawBody({ mebibytes: BODY_LIMIT_MIB })
  @ApiBody({ schema: { ...ChatCompletionBody }, examples: { example: { value: CHAT_EXAMPLE } } })
  @ApiOkResponse({
    description: 'The answer',
    content: {
      'application/json': { schema: { ...ChatCompletionAnswer } },
      'text/event-stream': { schema: { ...ChatCompletionEvent } },
    },
  })
  @OpenAiErrors({ ...GENERATION_ERRORS, 413: `The body has more than ${BODY_LIMIT_MIB} MiB.` })
  async create(@Caller() caller: Principal, @Body() body: Buffer, @Res() response: Response): Promise<void> {
    await sendAnswer(response, (left) => this.chats.start(caller, body, left));
  }
}
