import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { BaseModelDto } from './base-model.dto.js';
import { BaseModelsService } from './base-models.service.js';

@Controller('v1/preview/base-models')
@Authenticated('bearer')
@ApiTags('models')
export class BaseModelsController {
  constructor(private readonly models: BaseModelsService) {}

  /**
   * Lists the base models that can be trained, and those that can't be yet: with the progress of their download, or the
   * reason.
   */
  @Get()
  @ApiPage(BaseModelDto)
  @ApiErrors({ 422: 'The query is not valid, or there is no base model `after`.' })
  list(@Query() query: PageQuery): Page<BaseModelDto> {
    return pageOf(this.models.list(query).map(BaseModelDto.from), query.limit);
  }
}
