import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import { OpenAiErrors, TOKENIZATION_ERRORS } from '../dto/openai-error.dto.js';
import { DETOKENIZE_EXAMPLE, DetokenizeBody, TOKENIZE_EXAMPLE, TokenizeBody } from './tokenization.openapi.js';
import { DetokenizationDto, TokenizationDto } from './tokenization.dto.js';
import { TokenizationService } from './tokenization.service.js';

@Controller()
@Authenticated('bearer')
@ApiTags('chat')
export class TokenizationController {
  constructor(private readonly tokenization: TokenizationService) {}

  /** Gives the tokens of a text, or of a chat with its template, as vLLM does. */
  @Post('tokenize')
  @HttpCode(200)
  @RawBody()
  @ApiBody({ schema: { ...TokenizeBody }, examples: { example: { value: TOKENIZE_EXAMPLE } } })
  @OpenAiErrors(TOKENIZATION_ERRORS)
  tokenize(@Caller() caller: Principal, @Body() body: Buffer): Promise<TokenizationDto> {
    return this.tokenization.tokenize(caller, body);
  }

  /** Gives the text of tokens, as vLLM does. */
  @Post('detokenize')
  @HttpCode(200)
  @RawBody()
  @ApiBody({ schema: { ...DetokenizeBody }, examples: { example: { value: DETOKENIZE_EXAMPLE } } })
  @OpenAiErrors(TOKENIZATION_ERRORS)
  detokenize(@Caller() caller: Principal, @Body() body: Buffer): Promise<DetokenizationDto> {
    return this.tokenization.detokenize(caller, body);
  }
}
