import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { BaseModelDto } from './base-model.dto.js';
import { BaseModelsService } from './base-models.service.js';
import { RemoteServersService } from './remote-servers.service.js';

@Controller('v1/preview/base-models')
@Authenticated('bearer')
@ApiTags('models')
export class BaseModelsController {
  constructor(
    private readonly models: BaseModelsService,
    private readonly servers: RemoteServersService,
  ) {}

  /**
   * Lists the base models that can be trained, and those that can't be yet: with the progress of their download, or the
   * reason. Of those that other machines train or sample it says whether these answer.
   */
  @Get()
  @ApiPage(BaseModelDto)
  @ApiErrors({ 422: 'The query is not valid, or there is no base model `after`.' })
  async list(@Query() query: PageQuery): Promise<Page<BaseModelDto>> {
    const models = this.models.list(query);
    const servers = await this.servers.states();
    return pageOf(
      models.map((model) => BaseModelDto.from(model, servers)),
      query.limit,
    );
  }
}
