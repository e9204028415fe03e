import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import type { Response } from 'express';
import { sendAnswer } from '../answer/send-answer.js';
import { GENERATION_ERRORS, OpenAiErrors } from '../dto/openai-error.dto.js';
import { COMPLETION_EXAMPLE, CompletionAnswer, CompletionBody, CompletionEvent } from './completion.openapi.js';
import { CompletionsService } from './completions.service.js';

const BODY_LIMIT_MIB = 4;

@Controller('v1/completions')
@Authenticated('bearer')
@ApiTags('chat')
export class CompletionsController {
  constructor(private readonly completions: CompletionsService) {}

  /**
   * Continues a text or token ids, or several of them, as OpenAI's older API and vLLM do: without a chat template.
   *
   * @remarks Fields that are not listed are ignored. A client that leaves stops its generation.
   */
  @Post()
  @HttpCode(200)
  @RawBody({ mebibytes: BODY_LIMIT_MIB })
  @ApiBody({ schema: { ...CompletionBody }, examples: { example: { value: COMPLETION_EXAMPLE } } })
  @ApiOkResponse({
    description: 'The answer',
    content: {
      'application/json': { schema: { ...CompletionAnswer } },
      'text/event-stream': { schema: { ...CompletionEvent } },
    },
  })
  @OpenAiErrors({ ...GENERATION_ERRORS, 413: `The body has more than ${BODY_LIMIT_MIB} MiB.` })
  async create(@Caller() caller: Principal, @Body() body: Buffer, @Res() response: Response): Promise<void> {
    await sendAnswer(response, (left) => this.completions.start(caller, body, left));
  }
}
