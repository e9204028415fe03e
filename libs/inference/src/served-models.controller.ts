import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { OpenAiErrors } from './dto/openai-error.dto.js';
import { ServedModelDto, ServedModelListDto } from './dto/served-model.dto.js';
import { ServedModelListService } from './serving/served-model-list.service.js';
import { ServedModelsService } from './serving/served-models.service.js';

@Controller('v1/models')
@Authenticated('bearer')
@ApiTags('chat')
export class ServedModelsController {
  constructor(
    private readonly listing: ServedModelListService,
    private readonly models: ServedModelsService,
  ) {}

  /** Lists what you may chat with: base models, and the newest 1000 models that you may see. */
  @Get()
  @OpenAiErrors({})
  async list(@Caller() caller: Principal): Promise<ServedModelListDto> {
    return { object: 'list', data: (await this.listing.list(caller)).map(ServedModelDto.from) };
  }

  /** Shows one of them, by its id (with its slashes written as `%2F`). */
  @Get(':model')
  @OpenAiErrors({ 404: 'There is no such model or step, or you have no role in its project.' })
  async get(@Caller() caller: Principal, @Param('model') model: string): Promise<ServedModelDto> {
    return ServedModelDto.from(await this.models.get(caller, model));
  }
}
