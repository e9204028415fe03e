import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@heddle/auth';
import { OpenAiErrors } from '../dto/openai-error.dto.js';
import { NoEmbeddingsError } from './no-embeddings.error.js';

@Controller('v1/embeddings')
@Authenticated('bearer')
@ApiTags('chat')
export class EmbeddingsController {
  /** Refused, with the reason: models here continue texts, and give no embeddings. */
  @Post()
  @HttpCode(400)
  @OpenAiErrors({ 400: 'Models here give no embeddings.' })
  create(): never {
    throw new NoEmbeddingsError();
  }
}
